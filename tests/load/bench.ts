// `pnpm bench`: measures the figures of docs/performance.md on this machine and writes them there,
// next to peers and bare baselines from the same run. `pnpm bench submissions` measures and
// replaces only that section; `--peers` adds other content management systems, and `--dry-run`
// writes nothing.
import { parseArgs } from 'node:util';
import { benchTools, installTools } from '@app/tasks/tools';
import { circumstances } from './report/circumstances.ts';
import { requireSections, writeSection } from './report/document.ts';
import { sectionOf, tableOf } from './report/section.ts';
import type { Row } from './row.ts';
import type { Suite } from './suite.ts';
import { runSuite } from './suite-process.ts';
import { peerSuites, suites } from './suites.ts';
import { hasProgram } from './wrk.ts';

const { positionals, values } = readArguments();
const asked = askedSuites();
if (!values['dry-run']) requireSections(asked.map(({ name }) => name));
await installTools(benchTools, 'the benchmark');
if (!hasProgram('wrk')) fail('pnpm bench needs wrk, which is the package wrk on Debian.');

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const failed: string[] = [];
for (const suite of asked) await run(suite);
if (failed.length > 0) {
  console.error(`\nNot measured, so unchanged in docs/performance.md: ${failed.join(', ')}`);
  process.exitCode = 1;
}

async function run({ name, minutes }: Suite): Promise<void> {
  const before = circumstances();
  const began = performance.now();
  const rows: Row[] = [];
  console.log(`\n${name}, at most ${minutes} minutes`);
  try {
    await runSuite({ name, minutes }, (row) => {
      rows.push(row);
      console.log(`  ${row.what}: ${row.measured}`);
    });
    const took = Math.round((performance.now() - began) / 1_000);
    console.log(`\n${before}\n\n${tableOf(rows)}\n\n${name} took ${took} s`);
    if (!values['dry-run']) writeSection(name, sectionOf(before, rows));
  } catch (error) {
    console.error(`${name} failed: ${(error as Error).message}`);
    failed.push(name);
  }
}

function askedSuites(): readonly Suite[] {
  const all = [...suites, ...peerSuites];
  const unknown = positionals.find((name) => !all.some((suite) => suite.name === name));
  if (unknown !== undefined) {
    fail(`Unknown benchmark '${unknown}'. Use ${all.map(({ name }) => name).join(', ')}.`);
  }
  if (positionals.length > 0) return all.filter(({ name }) => positionals.includes(name));
  return values.peers ? all : suites;
}

function readArguments() {
  const options = { peers: { type: 'boolean' }, 'dry-run': { type: 'boolean' } } as const;
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return fail((error as Error).message);
  }
}

function fail(problem: string): never {
  console.error(problem);
  process.exit(2);
}
