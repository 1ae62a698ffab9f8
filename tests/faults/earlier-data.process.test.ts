import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { close } from '@app/db/open';
import { openEarlierDatabase } from '@app/db/testing/earlier-data';
import { migrationTags } from '@app/db/testing/other-versions';
import { expect, test } from 'vitest';
import { isFullRun } from '../support/full-run.ts';
import { SiteProcess, stoppedSite, temporaryFolder } from '../support/site-process.ts';

const [oldest = ''] = migrationTags;

/** Starts on a database with an earlier schema, next to pages of today's version. */
async function startOnDataOf(dataDir: string, schema: string): Promise<SiteProcess> {
  const port = await stoppedSite(dataDir);
  for (const ending of ['', '-wal', '-shm'])
    rmSync(join(dataDir, `site.db${ending}`), { force: true });
  close(openEarlierDatabase(join(dataDir, 'site.db'), schema));
  return SiteProcess.start({ dataDir, port });
}

// Only the oldest in short runs, because each start renders all pages.
test.each(isFullRun ? migrationTags : [oldest])(
  'the server starts on data of %s and serves it',
  async (schema) => {
    using folder = temporaryFolder();
    await using site = await startOnDataOf(folder.path, schema);
    // Until then, the pages of the other database are served.
    await site.logged('republished all pages');

    const post = await fetch(`${site.url}/blog/missed-calls`);
    expect(post.status).toBe(200);
    const page = await post.text();
    expect(page).toContain('Missed “calls” &amp; what they cost');
    expect(page).toContain('<em>rings</em>');
    const moved = await fetch(`${site.url}/blog/calls-missed`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('Location')]).toEqual([301, '/blog/missed-calls']);
    expect((await fetch(`${site.url}/blog/not-yet`)).status).toBe(404);
    expect(await (await fetch(`${site.url}/blog`)).text()).toContain('/blog/missed-calls');

    const signIn = await fetch(`${site.url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { Origin: site.url, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'ann@example.com', password: 'correct horse' }),
    });
    expect(signIn.status).toBe(200);
    for (const cookie of [
      'session=session-of-ann',
      signIn.headers.getSetCookie().join('; ').split(';')[0] ?? '',
    ]) {
      const session = await fetch(`${site.url}/api/auth/session`, { headers: { Cookie: cookie } });
      expect(await session.json()).toMatchObject({ user: { email: 'ann@example.com' } });
    }
    expect(site.log.filter(({ level }) => level === 'error')).toEqual([]);
    expect(await site.stop()).toEqual({ code: 0, signal: null, stderr: '' });
  },
);
