import { join } from 'node:path';
import { open } from '@app/db/open';
import type { Page } from 'playwright/test';
import type { SiteProcess } from './site-process.ts';

/** Lets everybody's last sign-in be a while ago, so that changes of the account ask for another. */
export function expireRecentSignIn({ dataDir }: SiteProcess, email: string): void {
  const { $client: client } = open(join(dataDir, 'site.db'));
  client
    .prepare(
      'UPDATE sessions SET signed_in_at = signed_in_at - 3600000 WHERE user_id = (SELECT id FROM users WHERE email = ?)',
    )
    .run(email);
  client.close();
}

/** Ends somebody's sessions as if it had been done elsewhere. */
export function endSessions({ dataDir }: SiteProcess, email: string): void {
  const { $client: client } = open(join(dataDir, 'site.db'));
  client
    .prepare('DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = ?)')
    .run(email);
  client.close();
}

/** The profile page, once its script has taken over. */
export async function openProfile(page: Page, tab: 'profile' | 'settings'): Promise<void> {
  await page.goto(`/profile#${tab}`);
  await page.locator('.profile[data-enhanced]').waitFor();
}

/** Leaves a post as one that cannot be rendered, as a restored backup may. */
export function breakBodyOf({ dataDir }: SiteProcess, slug: string, problem: string): void {
  const { $client: client } = open(join(dataDir, 'site.db'));
  client
    .prepare(
      'UPDATE blog_post_bodies SET html = NULL, problem = ? WHERE post_id = (SELECT id FROM blog_posts WHERE slug = ?)',
    )
    .run(problem, slug);
  client.close();
}
