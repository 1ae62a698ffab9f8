import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openPrimary } from '@app/db/replica/open-replica';
import { freePort } from '@app/db/testing/free-port';
import { describeOnServer, type Sqld, startSqld } from '@app/db/testing/sqld';
import { expect, onTestFinished, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { insertSignedInUser } from '../support/signed-in-user.ts';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';
import { statusOf } from '../support/status-of.ts';
import { Writer } from '../support/writer.ts';

/** The replication position, read as in docs/scaling.md. */
const position = (file: string): bigint => readFileSync(file).readBigUInt64LE(16);

async function startPair(): Promise<{ primary: Sqld; standby: Sqld }> {
  const address = `127.0.0.1:${await freePort()}`;
  const primary = await startSqld({ options: ['--grpc-listen-addr', address] });
  onTestFinished(primary.stop);
  const standby = await startSqld({ options: ['--primary-grpc-url', `http://${address}`] });
  onTestFinished(standby.stop);
  return { primary, standby };
}

/** A standby begins to copy at its first request. */
const ask = ({ url }: Sqld): Promise<Response> =>
  fetch(`${url}/v2/pipeline`, {
    method: 'POST',
    body: JSON.stringify({ requests: [{ type: 'execute', stmt: { sql: 'SELECT 1' } }] }),
  });

const post = (title: string) => ({ title, content: `About ${title}.`, published: true });

describeOnServer('a lost primary', () => {
  test.runIf(isFullRun).each([
    ['its standby, which lacks the last commit', 'standby', 404],
    ['the replica of a server, which lacks nothing', 'replica', 200],
  ] as const)(
    'is replaced by %s, and the other servers follow it',
    async (_what, copy, expected) => {
      using folder = temporaryFolder();
      const { primary, standby } = await startPair();
      expect((await ask(standby)).status).toBe(200);
      const start = async (name: string): Promise<SiteProcess> => {
        const dataDir = join(folder.path, name);
        const env = { PUBLIC_URL: 'http://localhost:4321', DATABASE_URL: primary.url };
        const site = await SiteProcess.launch({ dataDir, port: await freePort(), env });
        await site.ready;
        return site;
      };
      await using a = await start('a');
      await using b = await start('b');
      const { db, close } = await openPrimary(primary);
      const session = insertSignedInUser(db, 'ann', { role: 'staff' });
      await close();
      const writer = Writer.signedIn(b, session);
      await expect.poll(() => statusOf(writer.call('POST', '/api/posts', post('Kept')))).toBe(201);
      const shown = (site: SiteProcess, path: string) => statusOf(fetch(site.url + path));
      await expect.poll(() => shown(a, '/blog/kept')).toBe(200);
      const files = {
        standby: join(standby.folder, 'dbs/default/client_wal_index'),
        replica: join(a.dataDir, 'replica.db-client_wal_index'),
      };
      await expect.poll(() => position(files.standby)).toBe(position(files.replica));
      standby.pause();
      expect(await statusOf(writer.call('POST', '/api/posts', post('Last')))).toBe(201);
      await expect.poll(() => shown(a, '/blog/last')).toBe(200);
      await expect
        .poll(() => position(files.replica))
        .toBe(position(join(b.dataDir, 'replica.db-client_wal_index')));
      await Promise.all([primary.kill(), standby.kill()]);
      expect(position(files.replica)).toBeGreaterThan(position(files.standby));

      if (copy === 'replica') {
        await a.stop();
        const data = join(standby.folder, 'dbs/default');
        rmSync(data, { recursive: true });
        for (const suffix of ['', '-wal']) {
          cpSync(join(a.dataDir, `replica.db${suffix}`), join(data, `data${suffix}`));
        }
      }
      const promoted = await startSqld({ folder: standby.folder, port: primary.port });
      onTestFinished(promoted.stop);
      await using again = copy === 'replica' ? await start('a') : undefined;

      const servers = [again ?? a, b];
      for (const site of servers) {
        await expect.poll(() => shown(site, '/blog/last')).toBe(expected);
        expect(await shown(site, '/blog/kept')).toBe(200);
      }
      await expect.poll(() => statusOf(writer.call('POST', '/api/posts', post('New')))).toBe(201);
      for (const site of servers) await expect.poll(() => shown(site, '/blog/new')).toBe(200);
      for (const site of servers) {
        await expect
          .poll(async () => (await fetch(`${site.url}/api/health`)).json())
          .toMatchObject({ status: 'ok' });
      }
    },
  );
});
