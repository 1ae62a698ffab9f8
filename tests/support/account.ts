import { join } from 'node:path';
import { open } from '@app/db/open';
import type { Page } from 'playwright/test';
import type { SiteProcess } from './site-process.ts';

export function expireRecentSignIn({ dataDir }: SiteProcess, email: string): void {
  const { $client: client } = open(join(dataDir, 'site.db'));
  client
    .prepare(
      'UPDATE sessions SET signed_in_at = signed_in_at - 3600000 WHERE user_id = (SELECT id FROM users WHERE email = ?)',
    )
    .run(email);
  client.close();
}

export function endSessions({ dataDir }: SiteProcess, email: string): void {
  const { $client: client } = open(join(dataDir, 'site.db'));
  client
    .prepare('DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = ?)')
    .run(email);
  client.close();
}

export async function openProfile(page: Page, tab: 'profile' | 'settings'): Promise<void> {
  await page.goto(`/profile#${tab}`);
  await page.locator('[data-tabs][data-enhanced]').waitFor();
}

/** Makes a post unrenderable, as in an old backup. */
export function breakBodyOf({ dataDir }: SiteProcess, slug: string, problem: string): void {
  const { $client: client } = open(join(dataDir, 'site.db'));
  client
    .prepare(
      'UPDATE blog_post_bodies SET html = NULL, problem = ? WHERE post_id = (SELECT id FROM blog_posts WHERE slug = ?)',
    )
    .run(problem, slug);
  client.close();
}
