import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { isFullRun } from '../testing/full-run.ts';
import { namesIn } from '../testing/names-in.ts';
import { describeOnServer } from '../testing/sqld.ts';
import { temporaryFolder, useReplica } from '../testing/test-replica.ts';
import { openPrimary, openReplica } from './open-replica.ts';

const program = fileURLToPath(new URL('../testing/write-until-killed.ts', import.meta.url));
const kills = 20;

describeOnServer('a server that is killed while it writes', () => {
  const used = useReplica();

  test.runIf(isFullRun)(
    'loses nothing that was acknowledged, and stores no partial transaction',
    async () => {
      const { url } = used.sqld;
      const file = join(temporaryFolder(), 'replica.db');
      const acknowledged: string[] = [];
      for (let round = 0; round < kills; round += 1) {
        const writer = spawn(process.execPath, [program, url, file, `${round}`], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        onTestFinished(() => void writer.kill('SIGKILL'));
        const exit = once(writer, 'exit');
        for await (const line of createInterface(writer.stdout)) {
          const [pair, isRead] = line.split(' ');
          expect(isRead).toBe('true');
          acknowledged.push(`${round}-${pair}-a`, `${round}-${pair}-b`);
          // Kills it at any moment of the next writes.
          if (Number(pair) === round % 5) setImmediate(() => writer.kill('SIGKILL'));
        }
        await exit;
      }

      const replica = await openReplica({ url, file });
      onTestFinished(() => replica.close());
      const primary = await openPrimary({ url });
      onTestFinished(() => primary.close());
      const stored = namesIn(primary.db);
      expect(stored).toEqual(expect.arrayContaining(acknowledged));
      expect(stored.filter((name) => name.endsWith('a'))).toHaveLength(stored.length / 2);
      expect(namesIn(replica.db)).toEqual(stored);
      expect(replica.db.$client.pragma('integrity_check', { simple: true })).toBe('ok');
    },
  );
});
