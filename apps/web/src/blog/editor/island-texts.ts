import type { EditorTexts } from './initial-form.ts';

/**
 * For the props of the editor's island. Browsers read the content from its textarea: in the props,
 * which Astro serializes, too, long texts would take more than in the form.
 */
export const islandTexts = ({ post, restored, refused }: EditorTexts): EditorTexts => ({
  post: post && withHiddenContent(post),
  restored: restored && {
    ...restored,
    fields: withHiddenContent(restored.fields),
    // It is beside the island.
    conflict: null,
  },
  refused: refused && { ...refused, fields: withHiddenContent(refused.fields) },
});

/** Serialized are enumerable properties. */
const withHiddenContent = <T extends { content: string }>(fields: T): T =>
  Object.defineProperty({ ...fields }, 'content', { value: fields.content, enumerable: false });

/** In browsers with the content of the textarea, which that of the shown text is in. */
export const shownTexts = ({ post, restored, refused }: EditorTexts): EditorTexts => {
  const texts = { post, restored, refused };
  if (typeof document === 'undefined') return texts;
  const textarea = document.querySelector<HTMLTextAreaElement>('#post-content');
  const content = textarea?.defaultValue ?? '';
  if (refused) return { ...texts, refused: { ...refused, fields: { ...refused.fields, content } } };
  if (restored) {
    return { ...texts, restored: { ...restored, fields: { ...restored.fields, content } } };
  }
  return { ...texts, post: post && { ...post, content } };
};
