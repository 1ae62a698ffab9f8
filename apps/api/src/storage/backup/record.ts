import { chownSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncNow } from '../../files/atomic-files.ts';
import { type LastBackup, lastBackupFile } from '../../last-backup.ts';

/** The file belongs to the owner of DATA_DIR even if root writes it: the server sets its mode. */
export function recordBackup(dataDir: string, backup: LastBackup): void {
  const file = join(dataDir, lastBackupFile);
  const draft = join(dataDir, `.new-${lastBackupFile}`);
  writeFileSync(draft, `${JSON.stringify(backup)}\n`, { mode: 0o600, flush: true });
  const { uid, gid } = statSync(dataDir);
  if (process.getuid?.() === 0) chownSync(draft, uid, gid);
  renameSync(draft, file);
  syncNow(dataDir);
}
