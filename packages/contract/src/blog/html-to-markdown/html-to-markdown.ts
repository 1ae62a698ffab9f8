import { toMdast } from 'hast-util-to-mdast';
import type { LinkData, Root as Markdown } from 'mdast';
import { attribute, type Element, type Root } from './hast.ts';
import { tidyBlocks } from './inline.ts';
import { type Options, simplify } from './simplify.ts';
import { writeMarkdown } from './write-markdown.ts';

/** Converts parsed HTML to the Markdown of this site's posts. */
export const htmlToMarkdown = (html: Root, options: Options): string =>
  writeMarkdown(markdownTree(html, options));

export function markdownTree(html: Root, options: Options): Markdown {
  /** One object for each link in the source, whose pieces are joined. */
  const links = new Map<string, LinkData>();
  const linkData = (id: string): LinkData => {
    const data = links.get(id) ?? {};
    links.set(id, data);
    return data;
  };
  const tree = toMdast(simplify(html, options), {
    handlers: {
      a: (state, node: Element) => ({
        type: 'link',
        url: attribute(node, 'href'),
        children: state.all(node) as never,
        data: linkData(attribute(node, 'dataLink')),
      }),
      'footnote-reference': (_, node: Element) => {
        const label = attribute(node, 'dataLabel');
        return { type: 'footnoteReference', identifier: label, label };
      },
      'footnote-definition': (state, node: Element) => {
        const label = attribute(node, 'dataLabel');
        const children = state.toFlow(state.all(node)) as never;
        return { type: 'footnoteDefinition', identifier: label, label, children };
      },
    },
  });
  return tidyBlocks(tree as Markdown);
}
