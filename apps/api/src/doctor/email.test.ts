import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@app/db/testing/free-port';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { envOf } from '../testing/deployment.ts';
import { MovingClock } from '../testing/test-app.ts';
import { emailProvider, testEmail } from './checks/email.ts';
import { foldersOf } from './folders.ts';
import { createNetwork } from './network.ts';
import { runChecks } from './run-checks.ts';

const password = 'p@ss';
const received: string[] = [];
let server: SMTPServer;
let port: number;
let dataDir: string;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'doctor-'));
  received.length = 0;
  server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: (login, _session, done) =>
      login.password === password
        ? done(null, { user: 'site' })
        : done(new Error(`wrong password ${login.password}`)),
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('gone') ? new Error(`no mailbox ${address}`) : null),
    onData(stream, _session, done) {
      text(stream).then((message) => {
        received.push(message);
        done();
      }, done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  port = (server.server.address() as AddressInfo).port;
});

afterEach(async () => {
  await new Promise<void>((resolve) => server.close(resolve));
  rmSync(dataDir, { recursive: true });
});

async function check(one: typeof emailProvider, environment: Record<string, string>) {
  const env = envOf({ DATA_DIR: dataDir, MAIL_FROM: 'hello@example.com', ...environment });
  const context = {
    ...foldersOf({ DATA_DIR: dataDir }),
    clock: new MovingClock(),
    network: createNetwork(),
  };
  const found = await runChecks([one], context, env);
  return found.map(({ state, finding }) => `${state}: ${finding}`).join('\n');
}

const smtp = (secret = password, at = port) => ({
  SMTP_URL: `smtp://site:${encodeURIComponent(secret)}@127.0.0.1:${at}`,
});

test('logs in to the SMTP server without sending anything', async () => {
  expect(await check(emailProvider, smtp())).toBe(
    'ok: The SMTP server 127.0.0.1 accepts the login.',
  );
  expect(received).toEqual([]);
});

test('reports a refused login without the password', async () => {
  const found = await check(emailProvider, smtp('se@cret'));
  expect(found).toMatch(
    /^failure: The login to the SMTP server 127\.0\.0\.1 failed \(.*wrong password …/,
  );
});

test('reports an unreachable SMTP server', async () => {
  expect(await check(emailProvider, smtp(password, await freePort()))).toMatch(
    /^failure: The login to the SMTP server 127\.0\.0\.1 failed \(connect ECONNREFUSED/,
  );
});

test('sends a test email on request', async () => {
  expect(await check(testEmail('ann@example.com'), smtp())).toBe(
    'ok: The provider accepted the email. Check that it arrives, and not as spam.',
  );
  expect(received).toEqual([expect.stringContaining('To: ann@example.com')]);
});

test('reports a refused test email without its recipient', async () => {
  expect(await check(testEmail('gone@example.com'), smtp())).toMatch(
    /^failure: The email was not accepted \(.*no mailbox …\)\.$/,
  );
});

test('writes the test email to a file without a provider', async () => {
  expect(await check(testEmail('ann@example.com'), {})).toMatch(/^skipped: No email provider/);
  const [name = ''] = readdirSync(join(dataDir, 'mail'));
  expect(readFileSync(join(dataDir, 'mail', name), 'utf8')).toContain('To: ann@example.com');
  expect(await check(emailProvider, { PUBLIC_URL: 'http://www.example.com' })).toMatch(
    /^warning: No email provider is set/,
  );
});
