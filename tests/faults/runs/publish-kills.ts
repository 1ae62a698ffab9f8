import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { close, open } from '@app/db/open';
import { freePort } from '@app/db/testing/free-port';
import { openDatabase } from '../../support/database.ts';
import { untilPublished } from '../../support/queues.ts';
import { insertSignedInUser } from '../../support/signed-in-user.ts';
import {
  cardsRendered,
  SiteProcess,
  stoppedSite,
  temporaryFolder,
} from '../../support/site-process.ts';
import { Writer } from '../../support/writer.ts';
import { Author, editionsIn, type TrackedPost } from '../authors.ts';
import { type Fault, type Findings, isProgressDue } from '../fault.ts';
import { leftovers, listPublished, siteDifferences, unfinishedFiles } from '../published-files.ts';
import { inWords, problemsOfPages, readState } from '../tracked-posts.ts';

const names = ['ann', 'bob', 'cleo'];

/** One in so many starts, first the second, has another PUBLIC_URL and renders all pages again. */
const startsPerUrl = 4;
/** One in so many kills, first the third, hits a server during its start. */
const killsWhileStarting = 5;
const comparedEvery = 25;

/** Max acknowledged writes before a kill. */
const maxWrites = 12;
/** In milliseconds. A write takes 50, a start about a second, a full render three seconds. */
const maxPause = 100;
const maxStarting = 1_200;

interface World {
  dataDir: string;
  port: number;
  publicUrl: string;
  sessions: string[];
  authors: Author[];
  findings: Findings;
}

export const publishKills: Fault = {
  name: 'publish-kills',
  about:
    'kill -9 while authors publish, edit, rename, unpublish and delete, and all pages are rendered',
  unit: 'count',
  amount: 1_000,
  min: 1,
  async run(kills, findings) {
    using folder = temporaryFolder();
    const world = await makeWorld(folder.path, findings);
    for (const count of ['kills', 'files checked', 'writes acknowledged', 'writes lost']) {
      findings.count(count, 0);
    }
    for (let kill = 1; kill <= kills; kill += 1) {
      const isStarting = kill % killsWhileStarting === 3;
      await (isStarting ? killWhileItStarts(world) : killWhileTheyWrite(world));
      findings.count('kills');
      checkFilesAfterKill(world);
      if (kill % startsPerUrl === 1) changeUrl(world);
      if (kill % comparedEvery === 0 || kill === kills) await compareWithFreshRender(world);
      if (isProgressDue(kill, kills)) findings.progress(`${kill} of ${kills} kills`);
    }
  },
};

async function makeWorld(dataDir: string, findings: Findings): Promise<World> {
  const port = await stoppedSite(dataDir);
  const db = open(join(dataDir, 'site.db'));
  const sessions = names.map((name) => insertSignedInUser(db, name, { role: 'staff' }));
  close(db);
  const authors = names.map((name) => new Author(name));
  return { dataDir, port, publicUrl: `http://localhost:${port}`, sessions, authors, findings };
}

const startOptions = ({ dataDir, port, publicUrl }: World) => ({
  dataDir,
  port,
  env: { PUBLIC_URL: publicUrl },
});

function changeUrl(world: World): void {
  const { port, publicUrl } = world;
  const other = publicUrl.includes('localhost') ? '127.0.0.1' : 'localhost';
  world.publicUrl = `http://${other}:${port}`;
}

async function killWhileTheyWrite(world: World): Promise<void> {
  const { sessions, authors, findings, dataDir } = world;
  const startedAt = Date.now();
  await using site = await SiteProcess.launch(startOptions(world));
  await site.ready;
  // If not, unanswered changes can wait until the full render that follows.
  const isRepaired = isServing(world);
  for (const post of postsOf(world)) adopt(post, world, isRepaired);
  if (isRepaired) {
    checkRestarted(world);
    for (const name of await leftovers(dataDir, startedAt)) findings.breaks(`left over: ${name}`);
  }
  let isGone = false;
  let left = 1 + randomInt(maxWrites);
  const enough = Promise.withResolvers<void>();
  const notice = () => {
    findings.count('writes acknowledged');
    left -= 1;
    if (left === 0) enough.resolve();
  };
  const writing = Promise.all(
    authors.map((author, n) =>
      author.write(Writer.signedIn(site, sessions[n] ?? ''), () => isGone, notice),
    ),
  );
  await Promise.race([enough.promise, writing]);
  // The kill hits the next writes at a random moment.
  await pause(randomInt(maxPause));
  isGone = true;
  site.signal('SIGKILL');
  await writing;
  await expectKilled(site, findings);
}

async function killWhileItStarts(world: World): Promise<void> {
  await using site = await SiteProcess.launch(startOptions(world));
  await pause(randomInt(maxStarting));
  site.signal('SIGKILL');
  await expectKilled(site, world.findings);
}

async function expectKilled(site: SiteProcess, findings: Findings): Promise<void> {
  const { signal, code, stderr } = await site.ended;
  if (signal !== 'SIGKILL') findings.breaks(`the server ended with ${code}: ${stderr}`);
  else if (stderr !== '') findings.breaks(`the server wrote to its standard error: ${stderr}`);
  for (const { level, msg, err } of site.log) {
    if (level === 'error') findings.breaks(`logged as an error: ${msg} ${JSON.stringify(err)}`);
  }
}

const postsOf = ({ authors }: World): TrackedPost[] => authors.flatMap(({ posts }) => posts);

/** Whether pages already have the URL of this start. If not, a full render follows the start. */
const isServing = ({ dataDir, publicUrl }: World): boolean =>
  readFileSync(join(dataDir, 'site/index.html'), 'utf8').includes(
    `rel="canonical" href="${publicUrl}/"`,
  );

/** Checks the files between a kill and the next start, when a static host could serve them. */
function checkFilesAfterKill(world: World): void {
  const { dataDir, findings } = world;
  const site = join(dataDir, 'site');
  for (const name of unfinishedFiles(site)) findings.breaks(`after a kill: ${name} is unfinished`);
  findings.count('files checked', listPublished(site).length);
  for (const post of postsOf(world)) {
    for (const problem of problemsOfPages(post, site)) findings.breaks(`after a kill: ${problem}`);
  }
}

/** Expects the stored post to be as acknowledged or as in the unanswered request, and adopts it. */
function adopt(post: TrackedPost, { dataDir, findings }: World, isRepaired: boolean): void {
  using db = openDatabase(dataDir);
  const stored = readState(db, post);
  const { acknowledged, attempted } = post;
  const isOne = [acknowledged, attempted].some(
    (state) => inWords(state) === inWords(stored?.state ?? null),
  );
  if (!isOne) {
    findings.count('writes lost');
    findings.breaks(
      `${post.key} is ${inWords(stored?.state ?? null)}, acknowledged ${inWords(acknowledged)}, attempted ${inWords(attempted)}`,
    );
  }
  post.id = stored?.id ?? null;
  post.acknowledged = stored?.state ?? { slug: post.key, edition: 0, state: 'deleted' };
  post.isLive = isRepaired || (post.isLive && attempted === null);
  post.attempted = null;
}

/** Checks pages after a restart, before anybody writes again. */
function checkRestarted(world: World): void {
  const { dataDir, findings } = world;
  for (const post of postsOf(world)) {
    const { acknowledged, key } = post;
    if (!acknowledged) continue;
    const file = join(dataDir, `site/blog/${acknowledged.slug}.html`);
    const shown = existsSync(file) ? editionsIn(readFileSync(file, 'utf8')) : [];
    const found = shown.filter((edition) => edition.key === key).map(({ edition }) => edition);
    const expected = acknowledged.state === 'published' ? [acknowledged.edition] : [];
    if (String(found) !== String(expected)) {
      findings.breaks(
        `after a restart /blog/${acknowledged.slug} has edition ${found}, not ${expected}`,
      );
    }
  }
}

async function compareWithFreshRender(world: World): Promise<void> {
  const { dataDir, findings, publicUrl } = world;
  using fresh = temporaryFolder();
  {
    const mustRender = !isServing(world);
    await using site = await SiteProcess.launch(startOptions(world));
    await site.ready;
    if (mustRender) await site.logged('republished all pages');
    for (const post of postsOf(world)) adopt(post, world, true);
    checkRestarted(world);
    await settled(site);
    const { $client: client } = open(join(dataDir, 'site.db'));
    mkdirSync(join(fresh.path, 'data'));
    client.prepare('VACUUM INTO ?').run(join(fresh.path, 'data/site.db'));
    client.close();
    await site.stop();
  }
  const copy = { dataDir: join(fresh.path, 'data'), port: await freePort() };
  await using site = await SiteProcess.launch({ ...copy, env: { PUBLIC_URL: publicUrl } });
  await site.ready;
  await settled(site);
  await site.stop();
  const folders = [dataDir, copy.dataDir].map((path) => join(path, 'site'));
  const differences = siteDifferences(folders[0] ?? '', folders[1] ?? '');
  for (const difference of differences) {
    findings.breaks(`compared with a fresh render: ${difference}`);
  }
  findings.count('comparisons with a fresh render');
  for (const name of await leftovers(dataDir, Date.now())) findings.breaks(`left over: ${name}`);
  rmSync(copy.dataDir, { recursive: true });
}

async function settled(site: SiteProcess): Promise<void> {
  await untilPublished(site);
  await cardsRendered(site.dataDir);
}
