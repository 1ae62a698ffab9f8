import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isCompressible } from '../server/compressible.ts';
import { compress } from './compression.ts';
import { namesPublicUrl } from './public-url.ts';

/** Whether the build already compressed this file. It skips files that contain the public URL. */
export const hasBuiltSiblings = (name: string, bytes: Buffer): boolean =>
  isCompressible(name) && !namesPublicUrl(name, bytes);

/**
 * Compresses static files at build time, so that no server has to.
 * @param folder receives the compressed siblings; emptied first
 */
export function compressStaticFiles(staticFiles: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const entry of readdirSync(staticFiles, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const name = relative(staticFiles, file);
    const bytes = readFileSync(file);
    if (!hasBuiltSiblings(name, bytes)) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    for (const [ending, content] of Object.entries(compress(bytes, 'best'))) {
      writeFileSync(join(folder, name + ending), content);
    }
  }
}
