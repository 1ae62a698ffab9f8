import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { deleteReplica } from '@app/db/replica/replica-files';
import { startSqld, whyNoSqld } from '@app/db/testing/sqld';
import { cli } from '../support/cli.ts';
import { openDatabase } from '../support/database.ts';
import { EmailProvider } from '../support/email-provider.ts';
import { insertSignedInUser } from '../support/signed-in-user.ts';
import { copySite, SiteProcess } from '../support/site-process.ts';
import { seedAccounts } from './accounts.ts';
import { limitProcessor, pinTo } from './processor-share.ts';
import { seed } from './seed.ts';

/** Each server's share of a core, including its child processes: three servers fit on one core. */
const share = 0.3;
const serverCount = 3;
const posts = 100;

/** The URL of a load balancer in front of the servers, which is not measured. */
export const publicUrl = 'http://localhost:4321';

/**
 * A site on one machine, and the same site as three servers on a shared database. Once started, all
 * servers run on the first core, each limited to its share of it.
 */
export async function startSites(folder: string) {
  const reason = whyNoSqld;
  if (reason !== undefined) throw new Error(reason);
  await using started = new AsyncDisposableStack();
  const provider = started.use(await EmailProvider.start());
  // The provider never responds, so emails do not compete.
  provider.behave = () => 'takes it late';
  const primary = await startSqld();
  started.defer(primary.stop);
  const env = {
    PUBLIC_URL: publicUrl,
    TRUST_PROXY: '127.0.0.1,::1',
    RESEND_API_KEY: 're_bench',
    RESEND_BASE_URL: provider.url,
    MAIL_FROM: 'hello@example.com',
  };
  const sharedEnv = { ...env, DATABASE_URL: primary.url };

  const ownDir = join(folder, 'own');
  seed(ownDir, posts);
  await seedAccounts(ownDir);
  const session = addUser(ownDir);
  const sharedDirs = Array.from({ length: serverCount }, (_, n) => join(folder, `shared-${n}`));
  const [first = '', ...others] = sharedDirs;
  copySite(ownDir, first);
  await moveDatabase(first, primary.url);
  await publish(first, sharedEnv);
  for (const other of others) {
    copySite(first, other);
    deleteReplica(join(other, 'replica.db'));
  }

  async function start(dataDir: string, options: Record<string, string>): Promise<SiteProcess> {
    const site = await SiteProcess.launch({ dataDir, env: options });
    const limits = started.use(new AsyncDisposableStack());
    started.use(site);
    await site.ready;
    pinTo('0', site.pid);
    limits.defer(limitProcessor(site.pid, share));
    return site;
  }
  const own = await start(ownDir, env);
  const shared: SiteProcess[] = [];
  for (const dataDir of sharedDirs) shared.push(await start(dataDir, sharedEnv));

  const running = started.move();
  return {
    ...{ own, shared, primary, session },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function addUser(dataDir: string): string {
  using db = openDatabase(dataDir);
  return insertSignedInUser(db, 'reader');
}

async function moveDatabase(dataDir: string, url: string): Promise<void> {
  const { code, err } = await cli(dataDir, ['database', 'move', '--to', url]);
  if (code !== 0) throw new Error(`the database was not moved: ${err}`);
  for (const ending of ['', '-wal', '-shm'])
    rmSync(join(dataDir, `site.db${ending}`), { force: true });
}

/** Publishes all pages once, because rendering them takes seconds. */
async function publish(dataDir: string, env: Record<string, string>): Promise<void> {
  await using site = await SiteProcess.launch({ dataDir, env });
  await site.ready;
  await site.stop();
}
