import { accessSync, constants, statSync } from 'node:fs';
import { type Finding, type FolderCheck, failure, ok, warning } from '../check.ts';

/** See `restrictDataFolder`. */
const expectedModes = [0o700, 0o710];

export const dataFolder: FolderCheck = {
  name: 'data folder',
  needs: 'folder',
  async run({ dataDir }) {
    const found = statSync(dataDir, { throwIfNoEntry: false });
    if (!found) {
      return [
        failure(
          `DATA_DIR ${dataDir} does not exist.`,
          "Set DATA_DIR to the server's folder, or start the server once, which creates it.",
        ),
      ];
    }
    if (!found.isDirectory()) {
      return [failure(`DATA_DIR ${dataDir} is not a folder.`, 'Set DATA_DIR to a folder.')];
    }
    const findings: Finding[] = [];
    const user = process.getuid?.();
    if (user !== undefined && user !== 0 && found.uid !== user) {
      findings.push(
        failure(
          `DATA_DIR belongs to user ${found.uid}, but this command runs as user ${user}.`,
          'Run commands as the user of the server, or change the owner: chown -R <user> <DATA_DIR>.',
        ),
      );
    }
    // Only a warning: root can do everything, but leaves files that the server cannot change.
    if (user === 0 && found.uid !== 0) {
      findings.push(
        warning(
          `This command runs as root, but DATA_DIR belongs to user ${found.uid}.`,
          'Run commands as the user of the server: the server cannot change files created by root.',
        ),
      );
    }
    const mode = found.mode & 0o777;
    if (!expectedModes.includes(mode)) {
      findings.push(
        warning(
          `DATA_DIR has mode ${mode.toString(8)}: it contains email addresses and password hashes.`,
          'Restart the server, which sets mode 700, or 710 with SITE_READERS=group.',
        ),
      );
    }
    if (!isWritable(dataDir)) {
      findings.push(
        failure(
          'DATA_DIR is not writable.',
          'Change its owner to the user of the server, or mount its disk for writing.',
        ),
      );
    }
    return findings.length > 0 ? findings : [ok(`${dataDir} is writable and private.`)];
  },
};

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
