import { decodeString } from 'micromark-util-decode-string';

/** Applied in this order. Each takes linear time. */
const marks: readonly [RegExp, string][] = [
  [/^\uFEFF|\0/g, ''],
  // Horizontal rules, and the delimiter rows of tables.
  [/^[ \t|:=*_-]+$/gm, ''],
  // Headings, quotes, lists, tasks, rows of tables.
  [/^[ \t]*(?:#{1,6} |> |[-*+] (?:\[[ xX]\] )?|\d{1,9}[.)] |\| ?)/gm, ''],
  // Footnotes.
  [/\[\^[^\][]*\]:?/g, ''],
  // Links and pictures, even if the excerpt truncates them.
  [/!?\[([^\][]*)\]\([^()]*\)?/g, '$1'],
  [/~~/g, ''],
  // Not within words, and not between spaces.
  [/(?<![\p{L}\p{N}\\])[*_]{1,3}(?=[^\s*_])|(?<=[^\s*_\\])[*_]{1,3}(?![\p{L}\p{N}])/gu, ''],
];

/** Code, in which escapes and character references mean nothing, or a run of other text. */
const codeOrText = /(?<!`)(`+)(?!`)(?:(?<=```)\S*\n)?([\s\S]*?)(?<!`)\1(?!`)|`{3,}\S*|`+|[^`]+/g;

/** The text of Markdown without its marks, from which an excerpt is made by default. */
export const plainExcerpt = (excerpt: string): string =>
  marks
    .reduce((text, [mark, plain]) => text.replace(mark, plain), excerpt)
    .replace(codeOrText, (found, fence?: string, code?: string) => {
      if (fence !== undefined) return code ?? '';
      return found.startsWith('`') ? '' : decodeString(found);
    })
    .replace(/\s+/g, ' ')
    .replace(/ (?=\.\.\.$)/, '')
    .trim();
