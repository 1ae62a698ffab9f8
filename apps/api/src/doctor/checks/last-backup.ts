import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { formatTime } from '../../cli/table.ts';
import { unlessMissing } from '../../unless-missing.ts';
import { type FolderCheck, ok, warning } from '../check.ts';

/** Daily backups, and time to make one. */
const maxAge = 26 * 3_600_000;

const record = v.object({ time: v.pipe(v.string(), v.isoTimestamp()), bytes: v.number() });

const fix =
  'Make one each day, or with `pnpm cli backup <folder> --every 6h --keep 30` as a service, and copy it to another machine.';

export const lastBackup: FolderCheck = {
  name: 'backup',
  needs: 'folder',
  async run({ dataDir, clock }) {
    const text = await unlessMissing(readFile(join(dataDir, 'last-backup.json'), 'utf8'), null);
    if (text === null) return [warning('There is no backup of this site.', fix)];
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), record), text);
    if (!parsed.success) {
      return [warning('DATA_DIR/last-backup.json cannot be read.', `Make a backup. ${fix}`)];
    }
    const { time, bytes } = parsed.output;
    const age = clock.now() - Date.parse(time);
    const made = `The last backup was made on ${formatTime(time)} UTC (${(bytes / 1e6).toFixed(1)} MB)`;
    return age > maxAge
      ? [warning(`${made}: ${Math.floor(age / 3_600_000)} hours ago.`, fix)]
      : [ok(`${made}.`)];
  },
};
