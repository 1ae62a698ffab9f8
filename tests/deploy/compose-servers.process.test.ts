import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startS3Server } from '@app/api/src/testing/s3-server.ts';
import { freePort } from '@app/db/testing/free-port';
import { sqldPath, whyNoSqld } from '@app/db/testing/sqld';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Caddy, whyNoCaddy } from '../support/caddy.ts';
import { cli } from '../support/cli.ts';
import { isFullRun } from '../support/full-run.ts';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';

interface Service {
  command: string[];
  environment: Record<string, string>;
  healthcheck: { test: string[] };
}

const file = new URL('../../docs/deploy/compose.servers.yaml', import.meta.url);
const { services } = parse(readFileSync(file, 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
};

function serviceOf(name: string): Service {
  const service = services[name];
  if (!service) throw new Error(`there is no service ${name}`);
  return service;
}

const reason = whyNoSqld ?? whyNoCaddy;

/** Runs each service's program without a container, with the arguments of the file. */
describe.runIf(isFullRun && !reason)('the services of docs/deploy/compose.servers.yaml', () => {
  const folder = temporaryFolder();
  const children: ChildProcess[] = [];
  const sites: SiteProcess[] = [];
  const ports = new Map<string, number>();
  let caddy: Caddy;
  let s3: Awaited<ReturnType<typeof startS3Server>>;
  let env: Record<string, string>;

  /** Adapts a text of the file to this machine's ports, folders and secrets. */
  function local(name: string, text: string): string {
    let result = text
      .replaceAll('/var/lib/sqld', join(folder.path, name))
      .replaceAll('$$', '$')
      .replace(/\$\{S3_SECRET[^}]*\}/, s3.credentials.secretAccessKey);
    for (const [address, port] of ports) {
      const [host = '', own = ''] = address.split(':');
      result = result.replaceAll(address, `localhost:${port}`);
      if (host !== name) continue;
      for (const any of ['0.0.0.0', '127.0.0.1']) {
        result = result.replaceAll(`${any}:${own}`, `127.0.0.1:${port}`);
      }
      result = result.replaceAll(`/dev/tcp/127.0.0.1/${own}`, `/dev/tcp/127.0.0.1/${port}`);
    }
    return result;
  }

  const commandOf = (name: string): string[] =>
    serviceOf(name).command.map((word) => local(name, word));

  function run(program: string, args: string[]): ChildProcess {
    const child = spawn(program, args, { stdio: 'ignore' });
    children.push(child);
    return child;
  }

  async function ended(child: ChildProcess): Promise<number | null> {
    const [code] = await once(child, 'exit');
    return code;
  }

  async function healthy(name: string): Promise<void> {
    const [, program = '', ...args] = serviceOf(name).healthcheck.test;
    const check = () =>
      ended(
        run(
          program,
          args.map((word) => local(name, word)),
        ),
      );
    while ((await check()) !== 0) await setTimeout(100);
  }

  beforeAll(async () => {
    for (const address of ['database:8080', 'database:5001', 'standby:8080']) {
      ports.set(address, await freePort());
    }
    const adminPort = await freePort();
    // Both services share the network of the database.
    for (const name of ['database', 'database-settings']) ports.set(`${name}:8090`, adminPort);
    const s3Folder = join(folder.path, 's3');
    mkdirSync(s3Folder);
    s3 = await startS3Server(s3Folder);
    ports.set('s3:7070', Number(new URL(s3.endpoint).port));

    run(sqldPath ?? '', commandOf('database'));
    const [program = '', ...settings] = commandOf('database-settings');
    expect(program).toBe('node');
    while ((await ended(run(process.execPath, settings))) !== 0) await setTimeout(100);
    run(sqldPath ?? '', commandOf('standby'));

    const names = ['site1', 'site2', 'site3'];
    for (const name of names) ports.set(`${name}:4321`, await freePort());
    const upstreams = local('caddy', serviceOf('caddy').environment['SITE_UPSTREAM'] ?? '');
    caddy = await Caddy.start(join(folder.path, 'caddy'), ...upstreams.split(' '));
    for (const name of names) {
      const { environment } = serviceOf(name);
      env = Object.fromEntries(
        Object.entries(environment).map(([setting, value]) => [setting, local(name, value)]),
      );
      // The test's own Caddy address and S3 bucket.
      Object.assign(env, { PUBLIC_URL: caddy.url, TRUST_PROXY: '127.0.0.1' });
      env['UPLOADS_URL'] = env['UPLOADS_URL']?.replace('s3://site?', 's3://backups/site?') ?? '';
      env['AWS_ACCESS_KEY_ID'] = s3.credentials.accessKeyId;
      const dataDir = join(folder.path, name);
      const site = await SiteProcess.launch({
        dataDir,
        port: ports.get(`${name}:4321`) ?? 0,
        env: { ...env, DATA_DIR: dataDir },
      });
      sites.push(site);
      await site.ready;
    }
  });

  afterAll(async () => {
    await caddy?.[Symbol.asyncDispose]();
    for (const site of sites) await site[Symbol.asyncDispose]();
    for (const child of children) child.kill('SIGKILL');
    await s3?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test('serve visitors and are healthy', async () => {
    expect((await caddy.ask('/')).status).toBe(200);
    const sent = await caddy.ask('/api/contact', {
      method: 'POST',
      headers: { Origin: caddy.url, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Vera', email: 'vera@example.com', message: 'Hello' }),
    });
    expect(sent.status).toBe(201);
    for (const site of sites) {
      await expect
        .poll(async () => (await fetch(`${site.url}/api/health`)).json())
        .toMatchObject({ status: 'ok' });
    }
    await healthy('database');
  });

  test('include a standby that copies the database', async () => {
    await healthy('standby');
    const position = (path: string) => readFileSync(path).readBigUInt64LE(16);
    await expect
      .poll(() => position(join(folder.path, 'standby/dbs/default/client_wal_index')))
      .toBe(position(join(sites[0]?.dataDir ?? '', 'replica.db-client_wal_index')));
  });

  test('include a backup that succeeds', async () => {
    const [node, program, ...args] = serviceOf('backup').command;
    expect([node, program]).toEqual(['node', 'apps/api/dist/cli.js']);
    const backups = join(folder.path, 'backups');
    const dataDir = join(folder.path, 'backup');
    mkdirSync(backups);
    mkdirSync(dataDir);
    const once = args
      .filter((word, n) => word !== '--every' && args[n - 1] !== '--every')
      .map((word) => (word === '/backups' ? backups : word));
    expect(await cli(dataDir, once, { env: { ...env, DATA_DIR: dataDir } })).toMatchObject({
      code: 0,
    });
  });
});
