import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import sharp from 'sharp';

export interface Difference {
  name: string;
  /** Fraction of differing pixels; null when the size changed or the screenshot is new. */
  share: number | null;
}

const read = (file: string) =>
  sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });

/** @param diffs folder for images of the differences, named like the screenshots */
export async function compare(before: string, after: string, diffs: string): Promise<Difference[]> {
  mkdirSync(diffs, { recursive: true });
  const known = new Set(readdirSync(before));
  const differences: Difference[] = [];
  for (const name of readdirSync(after).filter((file) => file.endsWith('.png'))) {
    if (!known.has(name)) {
      differences.push({ name, share: null });
      continue;
    }
    const [old, current] = await Promise.all([read(join(before, name)), read(join(after, name))]);
    const { width, height } = current.info;
    if (old.info.width !== width || old.info.height !== height) {
      differences.push({ name, share: null });
      continue;
    }
    const diff = Buffer.alloc(current.data.length);
    const count = pixelmatch(old.data, current.data, diff, width, height, { threshold: 0.1 });
    if (count === 0) continue;
    await sharp(diff, { raw: { width, height, channels: 4 } })
      .png()
      .toFile(join(diffs, name));
    differences.push({ name, share: count / (width * height) });
  }
  return differences;
}
