import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Row } from './row.ts';
import type { Suite } from './suite.ts';

const program = fileURLToPath(new URL('run-suite.ts', import.meta.url));

/**
 * Measures a suite in its own process group, so that all its servers end with it, even if it fails
 * or takes too long.
 * @throws if it fails or takes too long
 */
export async function runSuite(
  { name, minutes }: Pick<Suite, 'name' | 'minutes'>,
  onRow: (row: Row) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `bench-${name}-`));
  const child = fork(program, [name, folder], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const cleanUp = () => {
    if (child.pid !== undefined) killGroup(child.pid);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  process.once('exit', cleanUp);
  child.on('message', (row) => onRow(row as Row));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    if (child.pid !== undefined) killGroup(child.pid);
  }, minutes * 60_000);
  try {
    const [code, signal] = await once(child, 'close');
    if (isLate) throw new Error(`it took more than ${minutes} minutes`);
    if (code !== 0) throw new Error(`the process ended with ${code ?? signal}, see above`);
  } finally {
    clearTimeout(timer);
    process.off('exit', cleanUp);
    cleanUp();
  }
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    // All its processes have exited.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
