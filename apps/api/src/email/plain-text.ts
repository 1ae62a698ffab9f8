/** Longest line of a plain text, in characters: quoted twice it still fits into RFC 5322's 78. */
const lineLength = 72;

/** Breaks lines between words. A word that is longer than a line, such as a link, stays whole. */
export const wrap = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const lines: string[] = [];
      for (const word of line.split(' ')) {
        const last = lines.at(-1);
        if (last !== undefined && last.length + 1 + word.length <= lineLength) {
          lines[lines.length - 1] = `${last} ${word}`;
        } else lines.push(word);
      }
      return lines.join('\n');
    })
    .join('\n');

/** Turns the direction of what follows: with them one text can pass for another (Unicode TR 36). */
const directionMarks = '\u{202a}-\u{202e}\u{2066}-\u{2069}';
const breaks = new RegExp(`[\\s\\p{Cc}${directionMarks}]+`, 'gu');
const unwritten = new RegExp(`(?![\\n\\t])[\\p{Cc}${directionMarks}]`, 'gu');

/** Somebody's name, or the like: whatever is in it, it adds no line to a mail and no header. */
export const oneLine = (text: string): string => text.replace(breaks, ' ').trim();

/** Somebody's text: its lines stay, characters that nobody writes go. */
export const manyLines = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(unwritten, '');
