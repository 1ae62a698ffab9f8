import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const megabytes = 24;

/** A tmpfs of 24 MB, or null without the permission to mount. */
export function mountDisk(folder: string) {
  try {
    mkdirSync(folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
  } catch {
    return null;
  }
  const filler = join(folder, 'filler');
  return {
    dataDir: join(folder, 'data'),
    /** @param leave bytes that stay free */
    fill(leave = 0): void {
      const file = openSync(filler, 'a');
      for (const size of [1024 * 1024, 4096, 1]) {
        try {
          for (;;) writeSync(file, Buffer.alloc(size));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
      // Removing an open file frees no space.
      closeSync(file);
      truncateSync(filler, statSync(filler).size - leave);
    },
    empty: () => rmSync(filler),
    remount: (how: 'ro' | 'rw') => void execFileSync('mount', ['-o', `remount,${how}`, folder]),
    [Symbol.dispose]: () => void execFileSync('umount', ['-l', folder]),
  };
}

export const needsMount = 'this user may not mount a file system';
