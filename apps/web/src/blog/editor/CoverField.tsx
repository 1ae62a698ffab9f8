import { limits } from '@app/contract/limits';
import { editor } from '@app/site/blog/editor';
import { pictureTexts } from '@app/site/blog/pictures';
import { useRef } from 'react';
import { Field } from '../../components/form/Field.tsx';
import type { FieldErrors } from '../../components/form/use-form.ts';
import type { CoverPicturesHandle, CoverPicturesProps } from './pictures/CoverPictures.tsx';
import { useLazyComponent } from './use-lazy-component.ts';

interface CoverFieldProps {
  initial: string | null | undefined;
  errors: FieldErrors;
}

const loadPictures = async () => (await import('./pictures/CoverPictures.tsx')).CoverPictures;

/** Accepts any URL, or one of the user's pictures. */
export const CoverField = ({ initial, errors }: CoverFieldProps) => {
  const field = useRef<HTMLInputElement>(null);
  const { Component, isFailed, use, onReady } = useLazyComponent<
    CoverPicturesProps,
    CoverPicturesHandle
  >(loadPictures);

  return (
    <div>
      <Field
        id="post-cover"
        name="coverImage"
        label={editor.cover}
        beside={
          <button
            className="link relative py-0.5 text-sm after:absolute after:inset-x-0 after:-inset-y-2.5"
            type="button"
            onClick={() => use((pictures) => pictures.openDialog())}
          >
            {pictureTexts.openCover}
          </button>
        }
        errors={errors}
        status={isFailed ? { text: pictureTexts.loadFailed, isProblem: true } : null}
      >
        {(control) => (
          <input
            {...control}
            ref={field}
            defaultValue={initial ?? undefined}
            // Not the type `url`, because the path of a picture is not a full URL.
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={limits.url}
          />
        )}
      </Field>
      {Component && <Component field={field} onReady={onReady} />}
    </div>
  );
};
