import type { Post } from '@app/contract/blog/posts';
import { tagsText } from '@app/contract/blog/tags';
import { limits } from '@app/contract/limits';
import { editor } from '@app/site/blog/editor';
import { labels } from '@app/site/forms/labels';
import type { RefObject } from 'react';
import { Field } from '../../components/form/Field.tsx';
import type { FieldErrors } from '../../components/form/use-form.ts';
import { CoverField } from './CoverField.tsx';
import { useSlug } from './use-slug.ts';

interface InitialTexts extends Pick<Post, 'title' | 'slug' | 'excerpt' | 'coverImage'> {
  tags: string | Post['tags'];
}

interface PostFieldsProps {
  /** The post, or the sample to copy. */
  initial: InitialTexts | null | undefined;
  form: RefObject<HTMLFormElement | null>;
  /** Undefined for a new post. */
  post: Post | undefined;
  errors: FieldErrors;
  forgetError: (name: string) => void;
}

/** All text fields except the content. */
export const PostFields = ({ initial, form, post, errors, forgetError }: PostFieldsProps) => {
  const { status: slugStatus, isMoved } = useSlug({
    ...{ form, post },
    onDerived: () => forgetError('slug'),
  });
  const optional = { aside: labels.optional, errors };

  return (
    <>
      <Field id="post-title" name="title" label={editor.title} errors={errors}>
        {(control) => (
          <input {...control} defaultValue={initial?.title} required maxLength={limits.title} />
        )}
      </Field>
      <div className="grid gap-6 md:grid-cols-2">
        <Field
          id="post-slug"
          name="slug"
          label={editor.slug}
          hint={post ? (isMoved ? editor.movedSlugHint : '') : editor.slugHint}
          status={slugStatus}
          errors={errors}
        >
          {(control) => (
            <input
              {...control}
              defaultValue={initial?.slug}
              required={post !== undefined}
              maxLength={limits.slug}
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <CoverField initial={initial?.coverImage} errors={errors} />
      </div>
      <Field
        {...optional}
        id="post-excerpt"
        name="excerpt"
        label={editor.excerpt}
        hint={editor.excerptHint(limits.autoExcerpt)}
      >
        {(control) => (
          <textarea
            {...control}
            defaultValue={initial?.excerpt}
            rows={2}
            maxLength={limits.excerpt}
          />
        )}
      </Field>
      <Field
        {...optional}
        id="post-tags"
        name="tags"
        label={editor.tags}
        hint={editor.tagsHint(limits.tags)}
      >
        {(control) => (
          <input
            {...control}
            defaultValue={tagsText(initial?.tags ?? '')}
            maxLength={limits.tagsText}
            autoComplete="off"
          />
        )}
      </Field>
    </>
  );
};
