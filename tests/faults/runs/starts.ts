import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@app/db/testing/free-port';
import { SiteProcess, temporaryFolder } from '../../support/site-process.ts';
import { type Fault, type Findings, isProgressDue } from '../fault.ts';
import { leftovers, unfinishedFiles } from '../published-files.ts';

const servers = 3;
/** In milliseconds. */
const maxDelay = 200;
/** One in so many times, the folder is empty. */
const timesPerFolder = 10;

export const starts: Fault = {
  name: 'starts',
  about: 'three servers start on one DATA_DIR at the same time',
  unit: 'count',
  amount: 100,
  min: 1,
  async run(times, findings) {
    for (const count of ['times', 'servers that served', 'servers that refused']) {
      findings.count(count, 0);
    }
    for (let n = 0; n < times; ) {
      using folder = temporaryFolder();
      const ports = [await freePort(), await freePort(), await freePort()];
      for (let once = 0; once < timesPerFolder && n < times; once += 1) {
        // Every other time, they also use the same port.
        const wanted = n % 2 === 0 ? ports : ports.map(() => ports[0] ?? 0);
        await startTogether(join(folder.path, 'data'), wanted, findings);
        n += 1;
        if (isProgressDue(n, times)) findings.progress(`${n} of ${times} times`);
      }
    }
  },
};

async function startTogether(
  dataDir: string,
  ports: readonly number[],
  findings: Findings,
): Promise<void> {
  const startedAt = Date.now();
  // The same URL, so that all servers publish the same pages.
  const env = { PUBLIC_URL: 'http://localhost:4321' };
  const sites = await Promise.all(
    Array.from({ length: servers }, async (_, n) => {
      await pause(randomInt(maxDelay));
      return SiteProcess.launch({ dataDir, port: ports[n] ?? 0, env });
    }),
  );
  try {
    const results = await Promise.all(
      sites.map((site) =>
        site.ready.then(
          () => site,
          () => null,
        ),
      ),
    );
    const serving = results.filter((site) => site !== null);
    findings.count('times');
    findings.count('servers that served', serving.length);
    findings.count('servers that refused', servers - serving.length);
    if (serving.length !== 1) findings.breaks(`${serving.length} of ${servers} servers serve`);
    for (const site of sites) {
      if (serving.includes(site)) continue;
      const { code, stderr } = await site.ended;
      const isSentence = /^(?:Another server is using DATA_DIR .*|Port \d+ is in use: .*)\n$/.test(
        stderr,
      );
      if (code !== 1 || !isSentence)
        findings.breaks(`a refused server ended with ${code}: ${stderr}`);
    }
    for (const site of serving) await checkServed(site, startedAt, findings);
  } finally {
    for (const site of sites) await site[Symbol.asyncDispose]();
  }
}

async function checkServed(
  site: SiteProcess,
  startedAt: number,
  findings: Findings,
): Promise<void> {
  const { dataDir, url } = site;
  for (const path of ['/', '/blog', '/api/health/ready']) {
    const { status } = await fetch(url + path);
    if (status !== 200) findings.breaks(`${path} was answered with ${status}`);
  }
  const folder = join(dataDir, 'site');
  for (const name of unfinishedFiles(folder)) findings.breaks(`${name} is unfinished`);
  for (const name of await leftovers(dataDir, startedAt)) findings.breaks(`left over: ${name}`);
  const isStopped = randomInt(2) === 0;
  site.signal(isStopped ? 'SIGTERM' : 'SIGKILL');
  const { code, stderr } = await site.ended;
  if (stderr !== '' || (isStopped && code !== 0)) {
    findings.breaks(`the server ended with ${code}: ${stderr}`);
  }
}
