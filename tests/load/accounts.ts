import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createPasswords } from '@app/api/src/accounts/sign-in/passwords.ts';
import { close, open } from '@app/db/open';
import { users } from '@app/db/schema/accounts';
import { verify } from '@node-rs/argon2';
import { median, percentile } from '../support/percentile.ts';
import { SiteProcess } from '../support/site-process.ts';
import { comparison, ms, perSecond, type Row } from './row.ts';
import { seed } from './seed.ts';
import { wrk } from './wrk.ts';

const rounds = 3;
const secondsARound = 5;
const flood = 250;
const tries = 500;
const password = 'correct horse';

/**
 * Measures the rate of sign-ins against bare password comparisons, API reads during a flood of
 * sign-ins, and whether response times reveal which addresses have an account. Each try comes from
 * its own IP address, as through a proxy, so that rate limits are counted but never reached.
 */
export async function measureAccounts(workFolder: string): Promise<Row[]> {
  const dataDir = join(workFolder, 'accounts');
  seed(dataDir, 100);
  const passwordHash = await seedAccounts(dataDir);
  await using site = await SiteProcess.start({
    dataDir,
    env: { TRUST_PROXY: '127.0.0.1,::1' },
  });
  const script = join(workFolder, 'sign-in.lua');

  const rates: { site: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    writeFileSync(script, signInScript(round, site.url));
    const { requestsPerSecond } = await wrk(site.url, 16, secondsARound, script);
    rates.push({ site: requestsPerSecond, bare: await bareRate(passwordHash) });
  }
  const signIns = median(rates.map((rate) => rate.site));
  const bare = median(rates.map((rate) => rate.bare));

  writeFileSync(script, signInScript(rounds, site.url));
  // The queue of hashes is shorter than the flood, so most of it gets 503.
  const flooding = wrk(site.url, flood, secondsARound, script, { mayRefuse: true });
  const reads = await readsDuring(site.url, flooding);
  const { requestsPerSecond, refusedPerSecond } = await flooding;
  const times = await answerTimes(site.url);
  await site.stop();
  return [
    {
      what: 'sign-ins, 16 at once',
      measured: perSecond(signIns),
      aim: '≥ 90 %',
      comparisons: [comparison('argon2id at the same settings', signIns, bare, perSecond)],
    },
    {
      what: `sign-ins that succeed during a flood of ${flood} at once; refused with 503`,
      measured: `${perSecond(requestsPerSecond - refusedPerSecond)}; ${perSecond(refusedPerSecond)}`,
    },
    {
      what: `GET /api/posts during a flood of ${flood} sign-ins at once, p99`,
      measured: ms(percentile(reads, 99)),
      aim: '≤ 50 ms',
    },
    {
      what: `sign-in with a wrong password, known and unknown address, ${tries} tries each: difference of the medians`,
      measured: ms(Math.abs(median(times.known) - median(times.unknown))),
      aim: '≤ 5 ms',
    },
  ];
}

const emailOf = (n: number): string => `person-${n}@example.com`;

/** @returns the hash of their password */
export async function seedAccounts(dataDir: string): Promise<string> {
  const passwordHash = await createPasswords('for salts').hash(password);
  const db = open(join(dataDir, 'site.db'));
  const now = Date.now();
  db.transaction(() => {
    for (let n = 0; n < tries; n += 1) {
      const account = { id: `person-${n}`, email: emailOf(n), passwordHash };
      db.insert(users)
        .values({ ...account, createdAt: now, emailConfirmedAt: now })
        .run();
    }
  });
  close(db);
  return passwordHash;
}

/** Each sign-in comes from its own IP address. @param round 0 to 255, different for each run */
export const signInScript = (round: number, origin: string): string => `
local n = 0
request = function()
  n = n + 1
  local headers = {
    ["Content-Type"] = "application/json",
    ["Origin"] = "${origin}",
    ["X-Forwarded-For"] = string.format("10.${round}.%d.%d", n / 256 % 256, n % 256),
  }
  local body = string.format('{"email":"person-%d@example.com","password":"${password}"}', n % ${tries})
  return wrk.format("POST", "/api/auth/sign-in", headers, body)
end
`;

/** Password comparisons per second of the library alone, one per core at a time. */
async function bareRate(passwordHash: string): Promise<number> {
  const began = performance.now();
  const end = began + secondsARound * 1_000;
  let compared = 0;
  const compare = async (): Promise<void> => {
    while (performance.now() < end) {
      if (!(await verify(passwordHash, password))) throw new Error('the password does not match');
      compared += 1;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, compare));
  return (compared / (performance.now() - began)) * 1_000;
}

/** In milliseconds. */
async function readsDuring(url: string, floodEnds: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const over = floodEnds.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) {
    const began = performance.now();
    const response = await fetch(`${url}/api/posts`);
    await response.arrayBuffer();
    times.push(performance.now() - began);
    if (!response.ok) throw new Error(`GET /api/posts was answered with ${response.status}`);
    await setTimeout(5);
  }
  await over;
  return times;
}

/** In milliseconds. */
async function answerTimes(url: string): Promise<{ known: number[]; unknown: number[] }> {
  const time = async (email: string, from: string): Promise<number> => {
    const began = performance.now();
    const response = await fetch(`${url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: url, 'X-Forwarded-For': from },
      body: JSON.stringify({ email, password: 'wrong horse' }),
    });
    await response.arrayBuffer();
    if (response.status !== 401)
      throw new Error(`a wrong password was answered with ${response.status}`);
    return performance.now() - began;
  };
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let n = 0; n < tries; n += 1) {
    const host = `${n >> 8}.${n & 255}`;
    times.known.push(await time(emailOf(n), `172.16.${host}`));
    times.unknown.push(await time(`nobody-${n}@example.com`, `172.20.${host}`));
  }
  return times;
}
