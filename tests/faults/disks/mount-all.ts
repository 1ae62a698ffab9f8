import { join } from 'node:path';
import { mountDisk } from '../../support/small-disk.ts';

type SmallDisk = NonNullable<ReturnType<typeof mountDisk>>;
export type Part = 'database' | 'uploads' | 'site' | 'email';

/** Where DATA_DIR has them. */
const folders: Record<Part, string> = {
  database: '.',
  uploads: 'uploads',
  site: 'releases',
  email: 'mail',
};

export const parts = Object.keys(folders) as Part[];

/** Each on a disk of its own. Null without the permission to mount. */
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
  // Also when it is interrupted, before the folder is removed.
  process.prependListener('exit', unmount);
  return {
    disks: disks as Record<Part, SmallDisk>,
    [Symbol.dispose]() {
      process.off('exit', unmount);
      unmount();
    },
  };
}
