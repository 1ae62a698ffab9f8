import { join } from 'node:path';
import { mountDisk } from '../../support/small-disk.ts';

type SmallDisk = NonNullable<ReturnType<typeof mountDisk>>;
export type Part = 'database' | 'uploads' | 'site' | 'email';

/** In DATA_DIR. */
const folders: Record<Part, string> = {
  database: '.',
  uploads: 'uploads',
  site: 'releases',
  email: 'mail',
};

export const parts = Object.keys(folders) as Part[];

/** Mounts a small disk for each part. Returns null without permission to mount. */
export function mountAll(
  dataDir: string,
): ({ disks: Record<Part, SmallDisk> } & Disposable) | null {
  using mounted = new DisposableStack();
  const disks: Partial<Record<Part, SmallDisk>> = {};
  for (const part of parts) {
    const disk = mountDisk(join(dataDir, folders[part]));
    if (!disk) return null;
    disks[part] = mounted.use(disk);
  }
  const all = mounted.move();
  const unmount = () => all.dispose();
  // If the process is interrupted, the disks must be unmounted before the folder is removed.
  process.prependListener('exit', unmount);
  return {
    disks: disks as Record<Part, SmallDisk>,
    [Symbol.dispose]() {
      process.off('exit', unmount);
      unmount();
    },
  };
}
