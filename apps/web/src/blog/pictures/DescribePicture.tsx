import type { Picture } from '@app/contract/blog/picture-replies';
import { limits } from '@app/contract/limits';
import { pictureTexts } from '@app/site/blog/pictures';
import { labels } from '@app/site/forms/labels';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';

export interface Description {
  alt: string;
  caption: string;
}

interface DescribePictureProps {
  picture: Picture;
  /** For the button. */
  name: string;
  hasCaption?: boolean;
  /** The writer asked for it. */
  takesFocus?: boolean;
  onDone: (description: Description) => void;
}

/**
 * Asks for alternative text. Not a form: it may be inside one, so its fields have no names. They are
 * uncontrolled because listeners of that form may render before React sees what was typed.
 */
export const DescribePicture = ({
  picture,
  name,
  hasCaption = false,
  takesFocus = false,
  onDone,
}: DescribePictureProps) => {
  const id = useId();
  const [isEmpty, setEmpty] = useState(picture.alt === '');
  const alt = useRef<HTMLInputElement>(null);
  const caption = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (takesFocus) alt.current?.focus();
  }, [takesFocus]);

  const done = () => onDone({ alt: textOf(alt.current), caption: textOf(caption.current) });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // It would send the form around it.
    event.preventDefault();
    done();
  };
  const attributes = { className: 'input min-h-10 py-1.5', dir: 'auto', onKeyDown } as const;

  return (
    <div className={`grid items-start gap-3 ${hasCaption ? 'sm:grid-cols-2' : ''}`}>
      <div>
        <label className="mb-1 block text-sm font-semibold" htmlFor={`${id}-alt`}>
          {pictureTexts.alt}
        </label>
        <input
          {...attributes}
          ref={alt}
          id={`${id}-alt`}
          defaultValue={picture.alt}
          maxLength={limits.pictureAlt}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => setEmpty(target.value.trim() === '')}
        />
        <p className="mt-1 text-sm text-muted-foreground" id={`${id}-hint`}>
          {isEmpty ? pictureTexts.altEmpty : pictureTexts.altHint}
        </p>
      </div>
      {hasCaption && (
        <div>
          <label className="mb-1 block text-sm font-semibold" htmlFor={`${id}-caption`}>
            {pictureTexts.caption}{' '}
            <span className="font-normal text-muted-foreground">{labels.optional}</span>
          </label>
          <input {...attributes} id={`${id}-caption`} ref={caption} maxLength={limits.pictureAlt} />
        </div>
      )}
      <button
        className="button button-outline button-sm justify-self-start"
        type="button"
        aria-label={pictureTexts.doneOf(name)}
        onClick={done}
      >
        {pictureTexts.done}
      </button>
    </div>
  );
};

const textOf = (field: HTMLInputElement | null): string => field?.value.trim() ?? '';
