import type { Page } from 'playwright/test';
import { signInNewUser } from '../support/account.ts';
import { isFullRun } from '../support/full-run.ts';
import type { SiteProcess } from '../support/site-process.ts';
import { expect, test } from '../support/site-test.ts';

/**
 * Texts that mean something to parsers of HTML or content security policies. None of them may change
 * what a page allows, runs or looks like.
 */
const all = [
  'How a <style> element works',
  '</style> and <style>body{display:none}</style>',
  '<script',
  '<script>window.ran = true</script>',
  '</script><script>window.ran = true</script>',
  '</title><script>window.ran = true</script>',
  'An unclosed <!-- comment',
  '<!--<script>',
  `<meta http-equiv="content-security-policy" content="default-src 'none'">`,
  `"><meta http-equiv='refresh' content='0; url=https://evil.example'>`,
  '<base href="https://evil.example/"><img src=x onerror="window.ran = true">',
  `'; script-src 'unsafe-inline' *; style-src *`,
  '$& $` {{window.ran = true}} ]]> &lt;style&gt; &amp;',
];

const texts = isFullRun ? all : all.filter((_, index) => index % 4 === 1);

/** Styles blocked by the policy, and injected scripts that ran. */
const troublesOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => [
    ...Array.from(document.querySelectorAll('style'))
      .filter(({ sheet }) => sheet === null || sheet.cssRules.length === 0)
      .map(({ textContent }) => `a style was refused: ${textContent?.slice(0, 80)}`),
    ...(getComputedStyle(document.body).display === 'none' ? ['the page is hidden'] : []),
    ...(document.querySelectorAll('style').length === 0 ? ['there are no styles'] : []),
    ...('ran' in window ? ['a script ran'] : []),
  ]);

const policyOf = (page: Page): Promise<(string | null)[]> =>
  page
    .locator('meta[http-equiv="content-security-policy"]')
    .evaluateAll((elements) => elements.map((element) => element.getAttribute('content')));

async function send(page: Page, site: SiteProcess, method: string, path: string, data: object) {
  const response = await page.request.fetch(site.url + path, {
    method,
    data,
    headers: { Origin: site.url },
  });
  expect(response.ok(), `${method} ${path}: ${await response.text()}`).toBe(true);
  return response.json();
}

test('hostile text does not change the policy, layout or scripts of its page', async ({
  page,
  newVisitor,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  const [name = 'x'] = email.split('@');
  const plain = { title: 'Plain', slug: name, content: 'Plain text', published: true };
  await send(page, site, 'POST', '/api/posts', plain);
  const visitor = await newVisitor();
  await visitor.goto(`/blog/${name}`);
  const policies = { post: await policyOf(visitor), list: [''] as (string | null)[] };
  await visitor.goto('/blog');
  policies.list = await policyOf(visitor);
  expect(policies.post).toHaveLength(1);

  for (const [index, text] of texts.entries()) {
    const slug = `${name}-${index}`;
    await send(page, site, 'PATCH', '/api/profile', { fullName: text.slice(0, 60) });
    const post = {
      title: text,
      slug,
      excerpt: text,
      content: `${text}\n\n## ${text}\n\n**${text}**`,
      published: index >= 1,
    };
    const saved = await send(page, site, 'POST', '/api/posts', post);

    if (!post.published) {
      for (const path of [`/blog/${slug}`, `/blog/editor/${slug}`]) {
        await page.goto(path);
        expect(await troublesOf(page), `${path}: ${text}`).toEqual([]);
      }
      await send(page, site, 'PATCH', `/api/posts/${saved.post.id}`, { published: true });
    }
    await visitor.goto(`/blog/${slug}`);
    await expect(visitor.locator('h1')).toHaveText(text.replace(/\s+/g, ' '));
    expect(await troublesOf(visitor), text).toEqual([]);
    expect(await policyOf(visitor), text).toEqual(policies.post);
  }

  for (const path of [
    '/blog',
    '/blog/archive',
    `/blog/archive/${new Date().toISOString().slice(0, 7)}`,
  ]) {
    await visitor.goto(path);
    expect(await troublesOf(visitor), path).toEqual([]);
  }
  await visitor.goto('/blog');
  expect(await policyOf(visitor)).toEqual(policies.list);
  await page.goto('/profile');
  expect(await troublesOf(page)).toEqual([]);
});
