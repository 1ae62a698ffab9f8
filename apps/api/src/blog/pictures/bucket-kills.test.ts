import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pictureFiles } from '@app/contract/blog/pictures';
import { hour } from '@app/contract/durations';
import { testOnFile } from '@app/db/testing/tests-by-kind';
import { expect } from 'vitest';
import { makeDataDir } from '../../testing/blog.ts';
import { isFullRun } from '../../testing/full-run.ts';
import { pictureRows } from '../../testing/pictures.ts';
import { s3ServerForFile } from '../../testing/s3-server.ts';
import { makeTestApp } from '../../testing/test-app.ts';
import { until } from '../../testing/until.ts';

const kills = isFullRun ? 20 : 1;

const program = fileURLToPath(new URL('../../testing/picture-program.ts', import.meta.url));
const server = s3ServerForFile();

const files = 6;

/**
 * Kills the process at a random step of storing a picture.
 * @returns the ids of the pictures that it had reported as stored
 */
async function storeUntilKilled(dataDir: string, url: string) {
  const { accessKeyId, secretAccessKey } = server.credentials;
  const args = [program, dataDir, url, accessKeyId, secretAccessKey];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const ids: string[] = [];
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => ids.push(line));
  const puts = () => server.requests.filter((line) => line.startsWith('PUT ')).length;
  const enough = puts() + files + Math.ceil(Math.random() * 2 * files);
  await until(() => ids.length > 0 && puts() >= enough);
  child.kill('SIGKILL');
  await ended;
  return ids;
}

testOnFile(
  'a server killed while it stores pictures leaves no row without files',
  'another process opens it',
  async () => {
    const prefix = randomUUID();
    const dataDir = makeDataDir();
    await using testApp = await makeTestApp({
      dataDir,
      settings: { uploads: server.uploadsAt(prefix) },
    });
    const acknowledged: string[] = [];
    for (let at = 0; at < kills; at += 1) {
      acknowledged.push(...(await storeUntilKilled(dataDir, server.urlOf(prefix))));
    }
    const keysBelow = (folder: string) =>
      server.keys().filter((key) => key.startsWith(`${prefix}/${folder}/`));
    const rows = pictureRows(testApp);
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
    expect(acknowledged.length).toBeGreaterThanOrEqual(kills);
    const named = rows.flatMap(pictureFiles).map((path) => `${prefix}/uploads${path}`);
    expect(keysBelow('uploads')).toEqual(expect.arrayContaining(named));

    server.age(prefix, 2 * hour);
    await testApp.deps.pictures.sweep();
    expect(keysBelow('uploads')).toEqual(named.sort());
  },
);
