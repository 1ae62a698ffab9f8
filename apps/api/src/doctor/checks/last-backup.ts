import { hour } from '@app/contract/durations';
import { megabytes } from '../../cli/megabytes.ts';
import { formatTime } from '../../cli/table.ts';
import { readLastBackup } from '../../last-backup.ts';
import { type FolderCheck, ok, warning } from '../check.ts';

/** A day, and time to make the backup. */
const maxAge = 26 * hour;

const fix =
  'Make one every day, or run `pnpm cli backup <folder> --every 6h --keep 30` as a service. Copy backups to another machine.';

export const lastBackup: FolderCheck = {
  name: 'backup',
  needs: 'folder',
  async run({ dataDir, clock }) {
    const backup = await readLastBackup(dataDir).catch(() => undefined);
    if (backup === undefined) {
      return [warning('DATA_DIR/last-backup.json cannot be read.', `Make a backup. ${fix}`)];
    }
    if (backup === null) return [warning('There is no backup of this site.', fix)];
    const { time, bytes } = backup;
    const age = clock.now() - Date.parse(time);
    const made = `The last backup was made on ${formatTime(time)} UTC (${megabytes(bytes)})`;
    return age > maxAge
      ? [warning(`${made}: ${Math.floor(age / hour)} hours ago.`, fix)]
      : [ok(`${made}.`)];
  },
};
