import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitForEmail } from '../support/mailbox.ts';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';

test('used links are soon erased from all files of the database', async () => {
  using folder = temporaryFolder();
  await using site = await SiteProcess.start({ dataDir: folder.path });
  const post = (path: string, body: object) =>
    fetch(`${site.url}/api/auth/${path}`, {
      method: 'POST',
      headers: { Origin: site.url, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const contains = (text: string) =>
    ['site.db', 'site.db-wal'].some((name) => readFileSync(join(folder.path, name)).includes(text));
  const email = 'ann@example.com';
  expect((await post('sign-up', { email, password: 'correct horse' })).status).toBe(202);
  const { text } = await waitForEmail(folder.path, ({ to }) => to?.[0]?.address === email);
  const token = /token=([\w-]+)/.exec(text ?? '')?.[1] ?? '';
  expect(contains(email)).toBe(true);
  expect((await post('confirm', { token })).status).toBe(200);

  // At the latest, after two checkpoints.
  await expect.poll(() => contains(token)).toBe(false);
  expect(contains(email)).toBe(true);
});
