// `pnpm faults <name>`: starts servers on this machine, causes one fault many times, and counts what
// was lost. Exits with 1 if a promise is broken.
import { parseArgs } from 'node:util';
import makeFolderOfSites from '../support/test-sites.ts';
import { type Fault, Findings } from './fault.ts';
import { hostile } from './hostile/fault.ts';
import { clock } from './runs/clock.ts';
import { connections } from './runs/connections.ts';
import { databases } from './runs/databases.ts';
import { disks } from './runs/disks.ts';
import { provider } from './runs/provider.ts';
import { publishKills } from './runs/publish-kills.ts';
import { servers } from './runs/servers.ts';
import { soak } from './runs/soak.ts';
import { starts } from './runs/starts.ts';
import { stop } from './runs/stop.ts';
import { writeKills } from './runs/write-kills.ts';

const faults: readonly Fault[] = [
  hostile,
  publishKills,
  writeKills,
  connections,
  stop,
  starts,
  disks,
  provider,
  clock,
  databases,
  servers,
  soak,
];

const { positionals, values } = readArguments();
const [name, ...others] = positionals;
if (name === undefined) {
  process.stdout.write(`${list()}\n`);
} else {
  const fault = faults.find((each) => each.name === name);
  if (!fault || others.length > 0)
    fail(`There is no fault '${positionals.join(' ')}'.\n\n${list()}`);
  await run(fault, amountOf(fault));
}

async function run(fault: Fault, amount: number): Promise<void> {
  const removeSites = makeFolderOfSites();
  process.on('exit', removeSites);
  // The servers get the signal, too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1_000);
  const findings = new Findings((text) => process.stdout.write(`[${seconds()} s] ${text}\n`));
  await fault.run(amount, findings, seedOf(fault));
  process.stdout.write(`${fault.name}, ${seconds()} seconds:\n${findings.report()}\n`);
  process.exitCode = findings.broken.length > 0 ? 1 : 0;
}

function amountOf({ name, unit, amount, min }: Fault): number {
  const other = unit === 'count' ? 'seconds' : 'count';
  if (values[other] !== undefined) fail(`${name} has no --${other}; use --${unit}=${amount}.`);
  const given = values[unit];
  const wanted = given === undefined ? amount : Number(given);
  if (Number.isInteger(wanted) && wanted >= min && wanted <= 100_000) return wanted;
  return fail(`--${unit} must be a whole number from ${min} to 100000.`);
}

function seedOf({ name, isSeeded }: Fault): number | undefined {
  if (values.seed === undefined) return undefined;
  if (!isSeeded) fail(`${name} has no --seed: its order is not random.`);
  const seed = Number(values.seed);
  if (Number.isInteger(seed)) return seed;
  return fail('--seed must be a whole number.');
}

function readArguments() {
  const options = {
    count: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
  } as const;
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return fail((error as Error).message);
  }
}

function list(): string {
  const width = Math.max(...faults.map(({ name }) => name.length));
  return [
    'Usage: pnpm faults <name> [--count=N | --seconds=N] [--seed=N]',
    '',
    ...faults.map(
      ({ name, about, unit, amount }) => `  ${name.padEnd(width)}  ${about} (--${unit}=${amount})`,
    ),
  ].join('\n');
}

function fail(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}
