import { join } from 'node:path';
import { createPasswords } from '@app/api/src/accounts/sign-in/passwords.ts';
import type { Database } from '@app/db/open';
import { openPrimary } from '@app/db/replica/open-replica';
import { deleteReplica } from '@app/db/replica/replica-files';
import { freePort } from '@app/db/testing/free-port';
import { startSqld, whyNoSqld } from '@app/db/testing/sqld';
import { Caddy, whyNoCaddy } from '../../support/caddy.ts';
import { EmailProvider } from '../../support/email-provider.ts';
import { emailOf, insertSignedInUser } from '../../support/signed-in-user.ts';
import { cardsRendered, copySite } from '../../support/site-process.ts';
import type { Findings } from '../fault.ts';
import { Server } from './server.ts';

export const whyNoDeployment = whyNoSqld ?? whyNoCaddy;

const serverCount = 3;

export const password = 'correct horse';
const accountCount = 20;
export const authors = ['ann', 'bob'];

export type Deployment = Awaited<ReturnType<typeof startDeployment>>;

/** Three servers on one database behind Caddy, with an email provider. */
export async function startDeployment(folder: string, findings: Findings) {
  await using started = new AsyncDisposableStack();
  const primary = await startSqld();
  started.defer(primary.stop);
  const provider = started.use(await EmailProvider.start());
  const ports = await freePorts(serverCount);
  const caddyFolder = join(folder, 'caddy');
  const upstreams = ports.map((port) => `127.0.0.1:${port}`);
  const caddy = started.use(await Caddy.start(caddyFolder, ...upstreams));
  const env = {
    PUBLIC_URL: caddy.url,
    TRUST_PROXY: '127.0.0.1',
    DATABASE_URL: primary.url,
    RESEND_API_KEY: 're_test',
    RESEND_BASE_URL: provider.url,
    MAIL_FROM: 'hello@example.com',
  };
  const servers = ports.map((port, n) => {
    const dataDir = join(folder, `server-${n}`);
    return started.use(new Server({ dataDir, port, env }, findings));
  });

  const accounts = await publishFirst(servers, primary.url);
  await Promise.all(servers.map((server) => server.start()));

  const running = started.move();
  return {
    ...{ primary, provider, caddy, servers, accounts },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** Lets one server publish, and copies its files: rendering all pages takes seconds of CPU. */
async function publishFirst([first, ...others]: readonly Server[], url: string) {
  if (!first) throw new Error('no server');
  await first.start();
  const primary = await openPrimary({ url });
  const accounts = await addAccounts(primary.db);
  await primary.close();
  const { dataDir } = first.options;
  await cardsRendered(dataDir);
  await first.stop();
  for (const { options } of others) {
    copySite(dataDir, options.dataDir);
    deleteReplica(join(options.dataDir, 'replica.db'));
  }
  return accounts;
}

/** Adds accounts with the password. @returns their email addresses, and the authors' sessions */
async function addAccounts(db: Database): Promise<{ emails: string[]; sessions: string[] }> {
  const passwordHash = await createPasswords('for salts').hash(password);
  const names = Array.from({ length: accountCount }, (_, n) => `person-${n}`);
  return db.transaction(
    () => {
      for (const name of names) insertSignedInUser(db, name, { passwordHash });
      const sessions = authors.map((name) => insertSignedInUser(db, name, { role: 'staff' }));
      return { emails: names.map(emailOf), sessions };
    },
    { behavior: 'immediate' },
  );
}
