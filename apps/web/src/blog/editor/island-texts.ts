import type { EditorTexts } from './initial-form.ts';

/**
 * Removes the content from the editor island's serialized props, where it would be larger than in
 * the textarea. Browsers read it from the textarea (`shownTexts`).
 */
export const islandTexts = ({ post, restored }: EditorTexts): EditorTexts => ({
  post: post && withHiddenContent(post),
  restored: restored && { ...restored, fields: withHiddenContent(restored.fields) },
});

/** Only enumerable properties are serialized. */
const withHiddenContent = <T extends { content: string }>(fields: T): T =>
  Object.defineProperty({ ...fields }, 'content', { value: fields.content, enumerable: false });

/** In browsers, adds the content in the textarea to the text that is shown. */
export const shownTexts = ({ post, restored }: EditorTexts): EditorTexts => {
  const texts = { post, restored };
  if (typeof document === 'undefined') return texts;
  const textarea = document.querySelector<HTMLTextAreaElement>('#post-content');
  const content = textarea?.defaultValue ?? '';
  if (restored) {
    return { ...texts, restored: { ...restored, fields: { ...restored.fields, content } } };
  }
  return { ...texts, post: post && { ...post, content } };
};
