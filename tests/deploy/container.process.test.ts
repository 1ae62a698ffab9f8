import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@app/db/testing/free-port';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { build, makeBases, podman, run, whyNoPodman } from '../support/podman.ts';
import { temporaryFolder } from '../support/site-process.ts';

const reason = isFullRun ? whyNoPodman() : undefined;
if (reason) console.log(`Tests of the container image are skipped: ${reason}`);

const top = fileURLToPath(new URL('../..', import.meta.url));
const name = `site-test-${process.pid}`;
const image = `localhost/${name}`;
const [base, buildBase] = [`${image}-base`, `${image}-build-base`];

describe.runIf(isFullRun && !reason)('docs/deploy/Containerfile', () => {
  const folder = temporaryFolder();
  let url: string;

  beforeAll(async () => {
    await makeBases(folder.path, base, buildBase);
    const bases = [`--build-arg=BASE=${base}`, `--build-arg=BUILD_BASE=${buildBase}`];
    await build(...bases, '-t', image, '-f', `${top}docs/deploy/Containerfile`, top);
    const port = await freePort();
    url = `http://localhost:${port}`;
    // As in docs/deploy/compose.yaml.
    await run(
      ...['--detach', '--name', name, '--volume', `${name}:/data`],
      ...['--read-only', '--read-only-tmpfs=false', '--tmpfs=/tmp'],
      ...['--cap-drop=ALL', '--security-opt=no-new-privileges'],
      ...['--env', `PORT=${port}`, '--env', 'HOST=127.0.0.1', image],
    );
    await becomesReady();
  }, 1_800_000);

  afterAll(async () => {
    await podman('rm', '--force', '--volumes', name).catch(() => undefined);
    await podman('volume', 'rm', '--force', name);
    await podman('rmi', '--force', image, buildBase, base);
    folder[Symbol.dispose]();
  });

  async function becomesReady(): Promise<void> {
    const status = async () => (await fetch(`${url}/api/health/ready`).catch(() => null))?.status;
    while ((await status()) !== 200) await setTimeout(100);
  }
  const inside = (...command: string[]) => podman('exec', name, ...command);
  const card = async () =>
    /\/cards\/[\da-f]+\.png/.exec(await (await fetch(`${url}/blog`)).text())?.[0];

  test('serves pages, the API’s documentation and cards', async () => {
    expect((await fetch(`${url}/about`)).status).toBe(200);
    expect((await fetch(`${url}/api/docs/reference`)).status).toBe(200);
    const path = (await card()) ?? '/no-card';
    await expect.poll(async () => (await fetch(url + path)).status).toBe(200);
  });

  test('runs unprivileged on a read-only disk, without build tools', async () => {
    const status = await inside('cat', '/proc/1/status');
    expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
    expect(status).toMatch(/^CapEff:\t0{16}$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    await expect(inside('touch', '/app/x')).rejects.toThrow('Read-only file system');
    await expect(inside('touch', '/etc/x')).rejects.toThrow('Read-only file system');
    const missing = 'for tool in npm npx gcc make git; do command -v $tool; done; true';
    expect(await inside('sh', '-c', missing)).toBe('');
  });

  test('is healthy while the server answers, and unhealthy otherwise', async () => {
    await podman('healthcheck', 'run', name);
    const check = await podman('image', 'inspect', '--format', '{{json .HealthCheck}}', image);
    const [, ...command]: string[] = JSON.parse(check).Test;
    // Nothing listens on that port.
    await expect(podman('exec', '--env', 'PORT=1', name, ...command)).rejects.toThrow();
  });

  test('stops on SIGTERM, and keeps its data until the next start', async () => {
    const sent = await fetch(`${url}/api/contact`, {
      method: 'POST',
      headers: { Origin: url, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Vera', email: 'vera@example.com', message: 'Hello' }),
    });
    expect(sent.status).toBe(201);

    await podman('stop', '--time=15', name);
    const exitCode = await podman('inspect', '--format', '{{.State.ExitCode}}', name);
    const log = await podman('logs', name);
    await podman('start', name);
    await becomesReady();

    expect(exitCode).toBe('0');
    expect(log).toContain('"signal":"SIGTERM","msg":"stopping"');
    expect(await inside('node', 'apps/api/dist/cli.js', 'submissions', 'list')).toContain('Vera');
  });
});
