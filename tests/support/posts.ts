import { expect, type Locator, type Page } from 'playwright/test';
import type { SiteProcess } from './site-process.ts';

/** The post is a draft, unless the data says otherwise. */
export async function writePost(page: Page, site: SiteProcess, data: object): Promise<void> {
  const reply = await page.request.post('/api/posts', {
    headers: { Origin: site.url },
    data: { content: 'What happened then. '.repeat(20), ...data },
  });
  expect(reply.status()).toBe(201);
}

export const cardOf = (page: Page, title: string): Locator =>
  page.getByRole('article').filter({ hasText: title });

export const listLoaded = (page: Page): Promise<void> =>
  expect(page.locator('#posts')).not.toHaveAttribute('aria-busy');
