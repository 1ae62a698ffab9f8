/** A page whose post is apart: its source, with what is before and after the content. */
export interface SplitPage {
  before: string;
  /** The elements of the content, each with the text up to the next one. */
  blocks: readonly string[];
  after: string;
}

const content = /<div class="post-body[^<>]*>/;
const voidTags = new Set(['br', 'hr', 'img', 'input', 'source']);

/** Text and attributes of posts are escaped, so that tags need no parser. */
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
