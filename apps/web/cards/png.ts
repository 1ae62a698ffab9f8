import sharp from 'sharp';

/** A card has few colors: with a palette it is half the bytes, and no edge looks different. */
export const pngOptions = { palette: true, colours: 64, dither: 0, effort: 7 };

export const toPng = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg)).png(pngOptions).toBuffer();
