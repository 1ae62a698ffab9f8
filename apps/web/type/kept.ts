import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';

/**
 * Files that are slow to make, kept from one build to the next in a folder that is named
 * after what they are made of.
 * @param ingredients all that the files depend on: texts, or the addresses of files
 * @returns the folder with the files, by the names that `make` gives them
 */
export const keptFiles = async (
  folder: URL,
  ingredients: readonly (string | URL)[],
  make: () => Promise<ReadonlyMap<string, Uint8Array>>,
): Promise<URL> => {
  const hash = createHash('sha256');
  for (const one of ingredients) {
    hash.update(typeof one === 'string' ? one : await readFile(one)).update('\0');
  }
  const key = hash.digest('hex').slice(0, 16);
  const kept = new URL(`${key}/`, folder);
  if (existsSync(kept)) return kept;

  const files = await make();
  const making = new URL(`${key}-${randomUUID()}/`, folder);
  await mkdir(making, { recursive: true });
  for (const [name, bytes] of files) await writeFile(new URL(name, making), bytes);
  await rename(making, kept);
  return kept;
};
