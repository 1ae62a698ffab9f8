import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { median } from '../support/percentile.ts';
import { signInScript } from './accounts.ts';
import { pinTo } from './processor-share.ts';
import { comparison, perSecond, type Row } from './row.ts';
import { publicUrl, startSites } from './scaling-sites.ts';
import { postScript } from './submissions.ts';
import { wrk } from './wrk.ts';

const rounds = 3;
const secondsARound = 6;
/** Per server. */
const connections = 16;

interface Load {
  what: string;
  path: string;
  /** In Lua, for requests other than anonymous GETs. @param run different for each run */
  script?(run: number, session: string): string;
}

const loads: readonly Load[] = [
  { what: 'GET /blog/post-50, a page', path: '/blog/post-50' },
  {
    what: 'GET /api/profile, signed in',
    path: '/api/profile',
    script: (_run, session) => `wrk.headers["Cookie"] = "session=${session}"`,
  },
  { what: 'sign-ins', path: '', script: (run) => signInScript(run, publicUrl) },
  { what: 'POST /api/contact', path: '', script: (run) => postScript(run, publicUrl) },
];

/**
 * Compares the request rates of one, two and three servers on a shared database with a site on one
 * machine. Each server has the same share of the first core; wrk and the database server
 * have the others. There is no load balancer: wrk connects to each server directly.
 */
export async function* measureScaling(folder: string): AsyncGenerator<Row> {
  const cores = availableParallelism();
  if (cores < 2)
    throw new Error('at least two cores are needed: one for the servers, another for wrk');
  // Child processes inherit the cores.
  pinTo(`1-${cores - 1}`, process.pid);
  await using sites = await startSites(folder);
  const groups = [[sites.own], ...[1, 2, 3].map((count) => sites.shared.slice(0, count))];
  const primary = sites.primary.pid();
  let run = 0;
  for (const load of loads) {
    const figures = groups.map(() => ({ rates: [] as number[], busy: [] as number[] }));
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [n, group] of groups.entries()) {
        const targets = group.map(({ url }) => {
          run += 1;
          const file = join(folder, `${run}.lua`);
          if (load.script) writeFileSync(file, load.script(run, sites.session));
          return { url: url + load.path, script: load.script && file };
        });
        const before = processorSeconds(primary);
        const rate = await rateOf(targets);
        const busy = (processorSeconds(primary) - before) / secondsARound;
        if (round === 0) continue;
        figures[n]?.rates.push(rate);
        figures[n]?.busy.push(busy);
      }
    }
    yield* rowsOf(load, figures);
  }
}

async function rateOf(targets: readonly { url: string; script: string | undefined }[]) {
  const all = targets.map(({ url, script }) => wrk(url, connections, secondsARound, script));
  const results = await Promise.all(all);
  return results.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0);
}

function* rowsOf(
  { what }: Load,
  figures: readonly { rates: readonly number[]; busy: readonly number[] }[],
): Generator<Row> {
  const [own = 0, ...shared] = figures.map(({ rates }) => median(rates));
  for (const [n, rate] of shared.entries()) {
    const busy = Math.round(100 * median(figures[n + 1]?.busy ?? []));
    yield {
      what: `${what}: ${n + 1} ${n === 0 ? 'server' : 'servers'}; the primary uses ${busy} % of a core`,
      measured: perSecond(rate),
      comparisons: [comparison('one machine', rate, own, perSecond)],
    };
  }
}

/** CPU time of a process since its start. proc_pid_stat(5) counts hundredths of a second. */
function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
