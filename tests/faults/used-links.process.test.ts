import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitForMail } from '../support/mailbox.ts';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';

test('a link that was used survives in no file of the database once the server is idle', async () => {
  using folder = temporaryFolder();
  await using site = await SiteProcess.start({ dataDir: folder.path });
  const post = (path: string, body: object) =>
    fetch(`${site.url}/api/auth/${path}`, {
      method: 'POST',
      headers: { Origin: site.url, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const database = join(folder.path, 'site.db');
  const log = `${database}-wal`;
  const email = 'ann@example.com';
  expect((await post('sign-up', { email, password: 'correct horse' })).status).toBe(202);
  const { text } = await waitForMail(folder.path, ({ to }) => to?.[0]?.address === email);
  const token = /token=([\w-]+)/.exec(text ?? '')?.[1] ?? '';
  expect(readFileSync(log).includes(token)).toBe(true);
  expect((await post('confirm', { token })).status).toBe(200);

  while (statSync(log).size > 0) await setTimeout(100);
  expect(readFileSync(database).includes(token)).toBe(false);
});
