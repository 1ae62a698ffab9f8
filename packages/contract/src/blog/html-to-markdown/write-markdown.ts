import type { Emphasis, Nodes, Parents, Root } from 'mdast';
import { gfmFootnoteToMarkdown } from 'mdast-util-gfm-footnote';
import { gfmStrikethroughToMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableToMarkdown } from 'mdast-util-gfm-table';
import { gfmTaskListItemToMarkdown } from 'mdast-util-gfm-task-list-item';
import {
  defaultHandlers,
  type Info,
  type Options,
  type State,
  toMarkdown,
  type Unsafe,
} from 'mdast-util-to-markdown';
import { writeLink, writeText } from './bare-urls.ts';

/** Fewer escapes than by default: only those that this site's renderer needs. */
function ofThisSite(pattern: Unsafe): Unsafe {
  if (pattern.character === '&') return { ...pattern, after: '(?:#\\w+|[a-zA-Z]\\w*);' };
  // Only a tilde after a word or another tilde can end struck text.
  if (pattern.character === '~' && pattern.inConstruct === 'phrasing') {
    return { ...pattern, before: '(?<=[^\\s])' };
  }
  return pattern;
}

/** Letters that can stay beside marks, although CommonMark would not see the marks there. */
const encodedLetter = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|\\[\s\S]|&#x([\dA-F]+);/g;
const isCjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u;

const withPlainCjk = (markdown: string): string =>
  markdown.replace(encodedLetter, (found, _, code?: string) => {
    const letter = code === undefined ? '' : String.fromCodePoint(Number.parseInt(code, 16));
    return isCjk.test(letter) ? letter : found;
  });

const containsStrong = ({ children }: Emphasis): boolean =>
  children.some(
    (child) =>
      child.type === 'strong' || ('children' in child && containsStrong(child as Emphasis)),
  );

/** With asterisks for both, marked ends `*(**$5**)*` too early. */
const writeEmphasis = Object.assign(
  (node: Emphasis, parent: Parents | undefined, state: State, info: Info) =>
    defaultHandlers.emphasis(node, parent, state, info),
  {
    peek: (node: Emphasis) => (containsStrong(node) ? '_' : '*'),
    attention: (node: Emphasis) => ({
      construct: 'emphasis' as const,
      markers: containsStrong(node) ? ['_', '*'] : ['*', '_'],
      sizes: [1],
    }),
  },
);

const options: Options = {
  bullet: '-',
  bulletOther: '*',
  rule: '-',
  extensions: [
    gfmFootnoteToMarkdown(),
    gfmStrikethroughToMarkdown(),
    // All cells have the width of a delimiter, because padding would multiply the size of a text.
    gfmTableToMarkdown({ stringLength: () => 3 }),
    gfmTaskListItemToMarkdown(),
    {
      handlers: {
        root(node: Root, parent: Parents | undefined, state: State, info: Info) {
          state.unsafe = state.unsafe.map(ofThisSite);
          return defaultHandlers.root(node, parent, state, info);
        },
        text: writeText,
        link: writeLink,
        emphasis: writeEmphasis,
        break: (
          node: Nodes & { type: 'break' },
          parent: Parents | undefined,
          state: State,
          info: Info,
        ) => defaultHandlers.break(node, parent, state, info).replace('\\', ''),
      },
    },
  ],
};

/** Writes the Markdown of this site's posts, in which a line feed is a line break. */
export const writeMarkdown = (tree: Root): string => withPlainCjk(toMarkdown(tree, options).trim());
