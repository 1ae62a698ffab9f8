/** The HTML of a page, split into the blocks of the post and what is before and after them. */
export interface SplitPage {
  before: string;
  /** Top-level elements of the content, each with the text up to the next one. */
  blocks: readonly string[];
  after: string;
}

const content = /<div class="post-body[^<>]*>/;
const voidTags = new Set(['br', 'hr', 'img', 'input', 'source']);

/** Needs no parser, because text and attributes of posts are escaped. */
export const splitPage = (html: string): SplitPage => {
  const opening = content.exec(html);
  const tag = /<(\/?)([a-z][a-z0-9-]*)(?:[\s/][^<>]*)?>/g;
  tag.lastIndex = opening ? opening.index + opening[0].length : html.length;
  const starts: number[] = [];
  let depth = 0;
  for (let found = tag.exec(html); found; found = tag.exec(html)) {
    const [, closing, name = ''] = found;
    if (closing) depth -= 1;
    else if (depth === 0) starts.push(found.index);
    if (!closing && !voidTags.has(name)) depth += 1;
    if (depth >= 0) continue;
    const edges = [...starts, found.index];
    return {
      before: html.slice(0, edges[0]),
      blocks: starts.map((start, index) => html.slice(start, edges[index + 1])),
      after: html.slice(found.index),
    };
  }
  return { before: html, blocks: [], after: '' };
};
