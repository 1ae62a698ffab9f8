import { oneLine } from '../clean-text.ts';

// Separate from pictures.ts, which the script of the post list loads.

/** A picture with a caption must be a separate paragraph. */
export const markdownOfPicture = (path: string, alt: string, caption = ''): string => {
  // Brackets, quotes and backslashes have a meaning in Markdown, and an empty line ends a paragraph.
  const text = oneLine(alt).replace(/[\\[\]]/g, '\\$&');
  const title = oneLine(caption).replace(/[\\"]/g, '\\$&');
  return `![${text}](${path}${title && ` "${title}"`})`;
};
