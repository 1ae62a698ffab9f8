import { createHash, randomBytes, randomInt } from 'node:crypto';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { close, open } from '@app/db/open';
import { insertSignedInUser } from '../../support/signed-in-user.ts';
import { copySite, SiteProcess, stoppedSite, temporaryFolder } from '../../support/site-process.ts';
import { type Fault, type Findings, isProgressDue } from '../fault.ts';

const pageBytes = 4_096;

const damages: Record<string, (file: string) => void> = {
  'random bytes': (file) => {
    const bytes = readFileSync(file);
    for (let n = 1 + randomInt(50); n > 0; n -= 1) bytes[randomInt(bytes.length)] = randomInt(256);
    writeFileSync(file, bytes);
  },
  'a random page': (file) => {
    const bytes = readFileSync(file);
    const page = randomInt(Math.floor(bytes.length / pageBytes));
    randomBytes(pageBytes).copy(bytes, page * pageBytes);
    writeFileSync(file, bytes);
  },
  'zeroed pages': (file) => {
    const bytes = readFileSync(file);
    const start = randomInt(bytes.length);
    bytes.fill(0, start, Math.min(start + pageBytes * (1 + randomInt(10)), bytes.length));
    writeFileSync(file, bytes);
  },
  truncated: (file) => truncateSync(file, randomInt(readFileSync(file).length)),
  empty: (file) => truncateSync(file, 0),
  'random bytes all over': (file) => writeFileSync(file, randomBytes(1 + randomInt(100_000))),
  foreign: (file) => {
    rmSync(file);
    const db = open(file);
    db.$client.exec('CREATE TABLE songs (title TEXT)');
    close(db);
  },
  newer: (file) => {
    const db = open(file);
    db.$client.exec(
      "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 4102444800000)",
    );
    close(db);
  },
  'a missing table': (file) => {
    const db = open(file);
    const tables = db.$client
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all()
      .filter((name) => !/^sqlite_|blog_search/.test(name));
    db.$client.pragma('foreign_keys = OFF');
    db.$client.exec(`DROP TABLE "${tables[randomInt(tables.length)]}"`);
    close(db);
  },
};

export const databases: Fault = {
  name: 'databases',
  about: 'the server starts on a corrupt, truncated, empty, foreign or newer database',
  unit: 'count',
  amount: 300,
  min: 1,
  async run(times, findings) {
    using folder = temporaryFolder();
    const original = join(folder.path, 'original');
    const port = await makeOriginal(original);
    for (const count of ['starts', 'refused', 'served', 'files changed']) findings.count(count, 0);
    const names = Object.keys(damages);
    for (let n = 0; n < times; n += 1) {
      const dataDir = join(folder.path, 'copy');
      copySite(original, dataDir);
      const name = names[n % names.length] ?? '';
      damages[name]?.(join(dataDir, 'site.db'));
      await startOn(dataDir, port, name, findings);
      rmSync(dataDir, { recursive: true });
      if (isProgressDue(n + 1, times)) findings.progress(`${n + 1} of ${times} starts`);
    }
  },
};

async function makeOriginal(dataDir: string): Promise<number> {
  const port = await stoppedSite(dataDir);
  const db = open(join(dataDir, 'site.db'));
  for (let n = 0; n < 50; n += 1) insertSignedInUser(db, `user-${n}`);
  db.$client.pragma('wal_checkpoint(TRUNCATE)');
  close(db);
  return port;
}

/** With the URL of the published pages, they are not rendered again. */
const env = (port: number) => ({ PUBLIC_URL: `http://localhost:${port}` });

const hashOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');

async function startOn(
  dataDir: string,
  port: number,
  name: string,
  findings: Findings,
): Promise<void> {
  const file = join(dataDir, 'site.db');
  const before = hashOf(file);
  await using site = await SiteProcess.launch({ dataDir, port, env: env(port) });
  findings.count('starts');
  const isServing = await site.ready.then(
    () => true,
    () => false,
  );
  if (!isServing) {
    const { code, signal, stderr } = await site.ended;
    findings.count('refused');
    const isSentence = stderr.trim().split('\n').length === 1 && !/^\s+at |Error:/m.test(stderr);
    if (code !== 1 || !isSentence) {
      findings.breaks(`${name}: the server ended with ${code ?? signal}: ${stderr}`);
    }
    if (hashOf(file) !== before) {
      findings.count('files changed');
      findings.breaks(`${name}: the refused file was changed: ${stderr.trim()}`);
    }
    return;
  }
  findings.count('served');
  for (const path of ['/', '/blog', '/api/health/live']) {
    const { status } = await fetch(site.url + path);
    if (status !== 200) findings.breaks(`${name}: ${path} was answered with ${status}`);
  }
  const body = JSON.stringify({ name: 'V', email: 'vera@example.com', message: 'Hello' });
  const headers = { Origin: env(port).PUBLIC_URL, 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body };
  const { status } = await fetch(`${site.url}/api/contact`, init);
  findings.count(`messages answered with ${status}`);
  const { code, stderr } = await site.stop();
  if (code !== 0 || stderr !== '')
    findings.breaks(`${name}: the server ended with ${code}: ${stderr}`);
}
