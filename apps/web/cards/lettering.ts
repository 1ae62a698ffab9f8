import * as hb from 'harfbuzzjs';

/** Text as shapes: in em, from the left end of the baseline, y upwards. */
export interface Lettering {
  /** The text without the characters that the typeface has no glyph for. */
  drawable(text: string): string;
  /** How wide the text is, in em. */
  widthOf(text: string): number;
  /** SVG elements, to be put in a group that is scaled by the size of the type and turned over. */
  outlines(text: string): string;
}

/** As the headings of the site: styles/base.css. */
const tracking = -0.02;

/**
 * @param files of one weight of a typeface, in sfnt: a character comes from the first that has it
 */
export const createLettering = (files: readonly Uint8Array[]): Lettering => {
  const fonts = files.map((file) => {
    // Copied: a Buffer may be a part of a larger piece of memory.
    const font = new hb.Font(new hb.Face(new hb.Blob(new Uint8Array(file).buffer)));
    font.setScale(unitsPerEm, unitsPerEm);
    return font;
  });
  const fontOf = (character: string): hb.Font | undefined =>
    fonts.find((font) => font.nominalGlyph(character.codePointAt(0) ?? 0) !== undefined);

  /** Each glyph with its font and its place. */
  const glyphsOf = (text: string) => {
    const glyphs: { font: hb.Font; glyph: number; x: number; y: number }[] = [];
    let pen = 0;
    for (const { font, part } of runsOf(text, fontOf)) {
      const buffer = new hb.Buffer();
      buffer.addText(part);
      buffer.guessSegmentProperties();
      hb.shape(font, buffer);
      const positions = buffer.getGlyphPositions();
      for (const [index, { codepoint }] of buffer.getGlyphInfos().entries()) {
        const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
        glyphs.push({ font, glyph: codepoint, x: pen + xOffset, y: yOffset });
        pen += xAdvance === 0 ? 0 : xAdvance + tracking * unitsPerEm;
      }
    }
    return { glyphs, width: pen };
  };

  return {
    drawable: (text) =>
      [...text.normalize('NFC').replace(/\s+/g, ' ')]
        .filter(fontOf)
        .join('')
        .replace(/ {2,}/g, ' ')
        .trim(),
    widthOf: (text) => glyphsOf(text).width / unitsPerEm,
    outlines: (text) =>
      glyphsOf(text)
        .glyphs.map(
          ({ font, glyph, x, y }) =>
            `<path transform="scale(${1 / unitsPerEm}) translate(${Math.round(x)} ${Math.round(y)})" d="${font.glyphToPath(glyph)}"/>`,
        )
        .join(''),
  };
};

const unitsPerEm = 1000;

/** The text in stretches of one font each. */
const runsOf = (
  text: string,
  fontOf: (character: string) => hb.Font | undefined,
): { font: hb.Font; part: string }[] => {
  const runs: { font: hb.Font; part: string }[] = [];
  for (const character of text) {
    const font = fontOf(character);
    const last = runs.at(-1);
    if (!font) continue;
    if (last?.font === font) last.part += character;
    else runs.push({ font, part: character });
  }
  return runs;
};
