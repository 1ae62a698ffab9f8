import type { ReactNode } from 'react';
import satori, { type Font } from 'satori';

const smallest = 46;
const sizes = [132, 120, 108, 98, 88, 80, 72, 66, 60, 54, 50, smallest];
const lineHeight = 1.06;

interface Frame {
  width: number;
  height: number;
}

/**
 * Removes graphemes for which the fonts have no glyphs. Returns '' if fewer than half of the
 * letters and digits are left, because the rest would be meaningless.
 */
export async function drawable(text: string, fonts: Font[]): Promise<string> {
  // Invisible characters can join others into one grapheme, which would be removed as a whole.
  const visible = text.normalize('NFC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const missing = new Set<string>();
  await satori(element('div', {}, visible), {
    width: 100,
    fonts,
    loadAdditionalAsset: async (_language, segment) => {
      for (const grapheme of graphemesOf(segment)) missing.add(grapheme);
      return [];
    },
  });
  const drawn = graphemesOf(visible)
    .filter((grapheme) => !missing.has(grapheme))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
  const left = countLetters(drawn);
  return left > 0 && 2 * left >= countLetters(visible) ? drawn : '';
}

/** The style that makes a title as large as its frame allows, with lines of similar length. */
export async function titleStyle(text: string, { width, height }: Frame, fonts: Font[]) {
  const em = 100;
  const { width: widestWord } = await measure(text, { fontSize: em, width: 'min-content' }, fonts);
  const style = (fontSize: number) => ({ fontSize, lineHeight, width });
  const possible = sizes.filter((size) => widestWord * size <= width * em);
  // Finds the largest size that fits by bisection, because smaller type is never taller.
  let [first, last] = [0, possible.length];
  while (first < last) {
    const middle = Math.floor((first + last) / 2);
    const size = possible[middle] ?? smallest;
    if ((await measure(text, style(size), fonts)).height <= height) last = middle;
    else first = middle + 1;
  }
  const size = possible[first];
  if (size !== undefined) return { ...style(size), textWrap: 'balance' };
  const lineClamp = Math.floor(height / (smallest * lineHeight));
  return { ...style(smallest), overflowWrap: 'anywhere', lineClamp };
}

async function measure(text: string, style: object, fonts: Font[]): Promise<Frame> {
  let box: Frame = { width: 0, height: 0 };
  await satori(element('div', { display: 'block', ...style }, text), {
    width: 1,
    fonts,
    onNodeDetected: ({ width, height }) => {
      box = { width, height };
    },
  });
  return box;
}

/** The same as in the site's headings (styles/base.css). */
const letterSpacing = '-0.02em';

export const element = (type: string, style: object, children?: ReactNode, attributes = {}) => ({
  type,
  key: null,
  props: { ...attributes, style: { letterSpacing, ...style }, children },
});

const countLetters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

const graphemesOf = (text: string): string[] =>
  [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
