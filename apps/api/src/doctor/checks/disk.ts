import { existsSync, type StatsFs, statfsSync } from 'node:fs';
import { type Finding, type FolderCheck, failure, ok, skipped, warning } from '../check.ts';

const gigabyte = 1e9;

/** With less free space, writing may fail at any time. */
const minBytes = 0.2 * gigabyte;

const fix =
  'Delete old backups and DATA_DIR/previous-*, or use a larger disk. Reading continues on a full disk; saving does not.';

export const disk: FolderCheck = {
  name: 'disk',
  needs: 'folder',
  async run({ dataDir }) {
    if (!existsSync(dataDir)) return [skipped('DATA_DIR does not exist.')];
    return findingsOf(statfsSync(dataDir));
  },
};

/** Counts the space that is free for users other than root. */
export function findingsOf({
  bavail,
  blocks,
  bsize,
  ffree,
  files,
}: Pick<StatsFs, 'bavail' | 'blocks' | 'bsize' | 'ffree' | 'files'>): Finding[] {
  const bytes = bavail * bsize;
  const share = Math.floor((100 * bavail) / Math.max(blocks, 1));
  const free = `${(bytes / gigabyte).toFixed(1)} GB (${share} %) of the disk is free.`;
  const findings: Finding[] = [];
  if (bytes < minBytes) findings.push(failure(free, fix));
  else if (bytes < gigabyte || share < 10) findings.push(warning(free, fix));
  // `files` is 0 on file systems without inode limits, such as btrfs.
  if (files > 0 && ffree / files < 0.05) {
    findings.push(
      warning(
        `The disk has room for only ${ffree.toLocaleString('en-US')} more files.`,
        'Delete unneeded files, or create the file system with more inodes: each page needs four files.',
      ),
    );
  }
  return findings.length > 0 ? findings : [ok(free)];
}
