/** In this order. Each takes time in proportion to the text. */
const marks: readonly [RegExp, string][] = [
  // Rules, and the lines below the heads of tables.
  [/^[ \t|:=*_-]+$/gm, ''],
  [/```\S*/g, ''],
  // Headings, quotes, lists, tasks, rows of tables.
  [/^[ \t]*(?:#{1,6} |> |[-*+] (?:\[[ xX]\] )?|\d{1,9}[.)] |\| ?)/gm, ''],
  // Footnotes.
  [/\[\^[^\][]*\]:?/g, ''],
  // Links and pictures, also those that the excerpt cuts off.
  [/!?\[([^\][]*)\]\([^()]*\)?/g, '$1'],
  [/~~|`+/g, ''],
  // Not within words, and not between spaces.
  [/(?<![\p{L}\p{N}\\])[*_]{1,3}(?=[^\s*_])|(?<=[^\s*_\\])[*_]{1,3}(?![\p{L}\p{N}])/gu, ''],
  [/\\([!-/:-@[-`{-~])/g, '$1'],
  [/\s+/g, ' '],
  [/ (?=\.\.\.$)/g, ''],
];

/** An excerpt for readers: by default it is the start of the content, which is Markdown. */
export const plainExcerpt = (excerpt: string): string =>
  marks.reduce((text, [mark, plain]) => text.replace(mark, plain), excerpt).trim();
