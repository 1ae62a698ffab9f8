import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { close, open } from '@app/db/open';
import { freePort } from '@app/db/testing/free-port';
import { openDatabase } from '../../support/database.ts';
import { Inspector, inspectorOptions, withoutDebugger } from '../../support/inspector.ts';
import { median } from '../../support/percentile.ts';
import { insertSignedInUser } from '../../support/signed-in-user.ts';
import { SiteProcess, temporaryFolder } from '../../support/site-process.ts';
import type { Fault, Findings } from '../fault.ts';
import { Load, uploadMilliseconds } from '../soak/load.ts';
import { type Sample, takeSample } from '../soak/samples.ts';
import { lostWrites } from '../visitors.ts';

type Measure = (third: readonly Sample[]) => number;

const medianOf =
  (key: keyof Sample): Measure =>
  (third) =>
    median(third.map((each) => each[key]).filter((value) => value !== null));

const processorPerRequest: Measure = (third) => {
  const [first, last] = [third[0], third.at(-1)];
  if (!first || !last) return Number.NaN;
  return (1_000 * (last.processor - first.processor)) / (last.requests - first.requests);
};

interface Limit {
  of: Measure;
  /** From the first third to the last. In a run of half an hour, their middles are 18 minutes apart. */
  maxGrowth: number;
}

/** Each limit is a few times the difference of the medians when nothing grows. */
const limits: Record<string, Limit> = {
  // 10 MB per hour, with a thousand times the requests of a small company.
  'MB of live heap': { of: medianOf('heap'), maxGrowth: 3 },
  // Includes native code and worker threads. What they free stays in malloc's arenas, which fill for
  // some minutes.
  'MB of memory': { of: medianOf('memory'), maxGrowth: 40 },
  'MB of memory of child processes': { of: medianOf('children'), maxGrowth: 40 },
  'open files': { of: medianOf('handles'), maxGrowth: 5 },
  'MB of write-ahead log': { of: medianOf('wal'), maxGrowth: 4 },
  // Thousands of posts are published and deleted, with twenty files each.
  'published files': { of: medianOf('files'), maxGrowth: 20 },
  // CPU time, because delays depend on what else the machine does.
  'ms of processor time per request': { of: processorPerRequest, maxGrowth: 5 },
};

/** In seconds. A shorter run still loads code and fills caches in its last third. */
const minComparable = 600;

const round = (value: number): number => Math.round(value * 10) / 10;

const rounded = (sample: object = {}) =>
  Object.fromEntries(Object.entries(sample).map(([key, value]) => [key, round(Number(value))]));

const sampleMilliseconds = 1_000;
const settleShare = 0.1;

export const soak: Fault = {
  name: 'soak',
  about: 'readers, authors, visitors, uploads, previews and searches, while nothing may grow',
  unit: 'seconds',
  amount: 1_800,
  min: 5,
  async run(seconds, findings) {
    using folder = temporaryFolder();
    const port = await freePort();
    const options = { dataDir: folder.path, nodeOptions: inspectorOptions(port) };
    await using site = await SiteProcess.start(options);
    const db = open(join(folder.path, 'site.db'));
    const uploads = (seconds * 1_000) / uploadMilliseconds;
    const sessions = Array.from({ length: 2 + Math.ceil(uploads / 30) }, (_, n) =>
      insertSignedInUser(db, `user-${n}`, { role: 'staff' }),
    );
    close(db);
    const end = performance.now() + seconds * 1_000;
    const load = new Load(site, findings, () => performance.now() > end);
    const [samples] = await Promise.all([
      takeSamples(site, load, port, seconds, findings),
      load.run(sessions),
    ]);
    const { code, stderr } = await site.stop();
    if (code !== 0 || withoutDebugger(stderr) !== '') {
      findings.breaks(`the server ended with ${code}: ${stderr}`);
    }
    for (const { level, msg } of site.log) {
      if (level === 'error') findings.breaks(`logged as an error: ${msg}`);
    }
    using stored = openDatabase(folder.path);
    for (const text of lostWrites(stored, load.visitors)) findings.breaks(`lost: ${text}`);
    if (seconds >= minComparable) compare(samples, findings);
  },
};

async function takeSamples(
  site: SiteProcess,
  load: Load,
  inspectorPort: number,
  seconds: number,
  findings: Findings,
): Promise<Sample[]> {
  await using inspector = await Inspector.attach(inspectorPort);
  const end = performance.now() + seconds * 1_000;
  // A garbage collection takes about 50 ms.
  const heapEvery = Math.max(1, Math.ceil(seconds / 120));
  const samples: Sample[] = [];
  while (performance.now() < end) {
    await pause(sampleMilliseconds);
    const isWithHeap = samples.length % heapEvery === 0;
    samples.push(await takeSample(site, load.requests, isWithHeap ? inspector : null));
    if (samples.length % 60 === 1) findings.progress(JSON.stringify(rounded(samples.at(-1))));
  }
  return samples;
}

/** Compares the last third with the first, without the first tenth, in which caches fill. */
function compare(samples: readonly Sample[], findings: Findings): void {
  const settled = samples.slice(Math.floor(samples.length * settleShare));
  const length = Math.floor(settled.length / 3);
  for (const [name, { of, maxGrowth }] of Object.entries(limits)) {
    const first = round(of(settled.slice(0, length)));
    const last = round(of(settled.slice(-length)));
    findings.set(`${name} in the first third`, first);
    findings.set(`${name} in the last third`, last);
    if (last - first <= maxGrowth) continue;
    findings.breaks(`${name} grew from ${first} to ${last}, by more than ${maxGrowth}`);
  }
}
