import sharp from 'sharp';

/** Cards have few colors. A palette halves their size without a visible difference. */
export const pngOptions = { palette: true, colours: 64, dither: 0, effort: 7 };

export const toPng = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg)).png(pngOptions).toBuffer();
