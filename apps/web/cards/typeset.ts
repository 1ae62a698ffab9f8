interface Frame {
  width: number;
  height: number;
}

interface Setting {
  /** Of the type, in pixels. */
  size: number;
  lines: string[];
}

type Measure = (text: string) => number;

/** Distance from one baseline to the next, in em. */
export const lineHeight = 1.06;

const largest = 132;
const smallest = 46;
const step = 2;

/**
 * Sets a text as large as its frame lets it be, in lines of about the same width. What is too
 * long even for the smallest type ends in an ellipsis.
 * @param frame in pixels
 * @param widthOf how wide a text is, in em
 */
export const typeset = (text: string, frame: Frame, widthOf: Measure): Setting => {
  const measure = measuring(widthOf);
  const words = text.split(' ');
  const widest = Math.max(...words.map(measure));
  for (let size = largest; size > smallest; size -= step) {
    const width = frame.width / size;
    if (widest > width) continue;
    const lines = wrap(words, width, measure);
    if (lines.length <= room(frame, size)) return { size, lines: balance(words, lines, measure) };
  }
  const width = frame.width / smallest;
  const pieces = words.flatMap((word) => breakWord(word, width, measure));
  const lines = wrap(pieces, width, measure);
  const most = room(frame, smallest);
  if (lines.length <= most) return { size: smallest, lines };
  const last = shorten(lines[most - 1] ?? '', width, measure);
  return { size: smallest, lines: [...lines.slice(0, most - 1), last] };
};

/** Words are measured once each: a line is as wide as its words and the spaces between them. */
const measuring = (widthOf: Measure): Measure => {
  const known = new Map<string, number>();
  const widthOfWord = (word: string): number => {
    const width = known.get(word) ?? widthOf(word);
    known.set(word, width);
    return width;
  };
  return (line) => {
    const words = line.split(' ');
    const spaces = (words.length - 1) * widthOfWord(' ');
    return words.reduce((sum, word) => sum + (word === '' ? 0 : widthOfWord(word)), spaces);
  };
};

const room = ({ height }: Frame, size: number): number => Math.floor(height / (size * lineHeight));

const wrap = (words: readonly string[], width: number, measure: Measure): string[] => {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    const longer = `${line} ${word}`;
    if (line !== undefined && measure(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
};

/** As many lines, the longest of them as short as it can be. */
const balance = (words: readonly string[], lines: string[], measure: Measure): string[] => {
  const widest = Math.max(...words.map(measure));
  let balanced = lines;
  for (;;) {
    // A hair less than the longest line: some word has to go to the next one.
    const width = Math.max(...balanced.map(measure)) - 0.01;
    if (widest > width) return balanced;
    const narrower = wrap(words, width, measure);
    if (narrower.length > lines.length) return balanced;
    balanced = narrower;
  }
};

/** A word that is wider than a line, in pieces that are not. */
const breakWord = (word: string, width: number, measure: Measure): string[] => {
  if (measure(word) <= width) return [word];
  const pieces: string[] = [];
  let piece = '';
  let pieceWidth = 0;
  for (const character of word) {
    const more = measure(character);
    if (piece !== '' && pieceWidth + more > width) {
      pieces.push(piece);
      piece = '';
      pieceWidth = 0;
    }
    piece += character;
    pieceWidth += more;
  }
  return [...pieces, piece];
};

const shorten = (line: string, width: number, measure: Measure): string => {
  const characters = [...line];
  let shortened = line;
  do {
    characters.pop();
    shortened = `${characters.join('').trimEnd()}…`;
  } while (characters.length > 0 && measure(shortened) > width);
  return shortened;
};
