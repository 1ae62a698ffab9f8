import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { close, open } from '@app/db/open';
import { root } from '../../architecture/sources.ts';

export function circumstances(): string {
  const date = new Date().toISOString().slice(0, 10);
  const memory = Math.round(totalmem() / 2 ** 30);
  const [load = Number.NaN] = loadavg();
  return [
    `${date}: ${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${memory} GiB`,
    `Linux ${release()}`,
    `Node ${process.versions.node}`,
    `SQLite ${sqliteVersion()}`,
    `Astro ${astroVersion()}`,
    `load average ${load.toFixed(1)} before the run.`,
  ].join(', ');
}

function sqliteVersion(): string {
  const db = open(':memory:');
  const version = db.$client.prepare('SELECT sqlite_version()').pluck().get();
  close(db);
  return String(version);
}

export function astroVersion(): string {
  const file = join(root, 'apps/web/node_modules/astro/package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
