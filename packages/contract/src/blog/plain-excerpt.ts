/** Applied in this order. Each takes linear time. */
const marks: readonly [RegExp, string][] = [
  // Horizontal rules, and the delimiter rows of tables.
  [/^[ \t|:=*_-]+$/gm, ''],
  [/```\S*/g, ''],
  // Headings, quotes, lists, tasks, rows of tables.
  [/^[ \t]*(?:#{1,6} |> |[-*+] (?:\[[ xX]\] )?|\d{1,9}[.)] |\| ?)/gm, ''],
  // Footnotes.
  [/\[\^[^\][]*\]:?/g, ''],
  // Links and pictures, even if the excerpt truncates them.
  [/!?\[([^\][]*)\]\([^()]*\)?/g, '$1'],
  [/~~|`+/g, ''],
  // Not within words, and not between spaces.
  [/(?<![\p{L}\p{N}\\])[*_]{1,3}(?=[^\s*_])|(?<=[^\s*_\\])[*_]{1,3}(?![\p{L}\p{N}])/gu, ''],
  [/\\([!-/:-@[-`{-~])/g, '$1'],
  [/\s+/g, ' '],
  [/ (?=\.\.\.$)/g, ''],
];

/** Removes Markdown from an excerpt, which by default is the start of the content. */
export const plainExcerpt = (excerpt: string): string =>
  marks.reduce((text, [mark, plain]) => text.replace(mark, plain), excerpt).trim();
