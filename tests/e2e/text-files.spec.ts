import { day } from '@app/contract/durations';
import { company } from '@app/site/company';
import { signInNewUser } from '../support/account.ts';
import { expect, test } from '../support/site-test.ts';

test('robots.txt names the sitemap', async ({ request, site }) => {
  const response = await request.get('/robots.txt');
  expect(response.headers()['content-type']).toBe('text/plain; charset=utf-8');
  const lines = (await response.text()).split('\n');
  expect(lines).toContain('User-agent: *');
  expect(lines).toContain(`Sitemap: ${site.url}/sitemap.xml`);
});

test('security.txt has contacts and an expiry within a year', async ({ request, site }) => {
  const response = await request.get('/.well-known/security.txt');
  expect(response.status()).toBe(200);
  // RFC 9116 §3
  expect(response.headers()['content-type']).toBe('text/plain; charset=utf-8');
  const fields = (await response.text())
    .trim()
    .split('\n')
    .map((line) => line.split(/: (.*)/).slice(0, 2));
  const expires = fields.find(([name]) => name === 'Expires')?.[1] ?? '';
  expect(fields).toEqual([
    ['Contact', `mailto:${company.mailboxes.privacy}`],
    ['Contact', `${site.url}/contact`],
    ['Expires', expires],
    ['Preferred-Languages', 'en'],
    ['Canonical', `${site.url}/.well-known/security.txt`],
  ]);
  const days = (Date.parse(expires) - Date.now()) / day;
  expect(days).toBeGreaterThan(0);
  expect(days).toBeLessThan(365);
});

test('a post is readable as Markdown, and llms.txt lists it', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const slug = email.split('@')[0] ?? '';
  const content = '## As *written*\n\n- with [a link](/contact)';
  const saved = await page.request.post('/api/posts', {
    data: { title: 'How [to] "quote" \\', slug, content, published: true },
    headers: { Origin: site.url },
  });
  const { post } = await saved.json();
  const index = async () => (await page.request.get('/llms.txt')).text();
  const line = `- [How \\[to\\] "quote" \\\\](${site.url}/blog/${slug}.md): `;
  await expect.poll(index).toContain(line);

  await page.goto(`/blog/${slug}`);
  const path = await page.locator('link[type="text/markdown"]').getAttribute('href');
  const file = await page.request.get(path ?? '');
  expect(file.headers()['content-type']).toBe('text/markdown; charset=utf-8');
  expect(file.headers()['x-robots-tag']).toBe('noindex');
  expect(await file.text()).toBe(
    [
      '---',
      'title: "How [to] \\"quote\\" \\\\"',
      `date: "${post.createdAt}"`,
      `author: "${post.author.name}"`,
      `url: "${site.url}/blog/${slug}"`,
      '---',
      '',
      content,
      '',
    ].join('\n'),
  );
});

test('llms.txt has a title, a summary and working links', async ({ request, site }) => {
  const text = await (await request.get('/llms.txt')).text();
  expect(text).toMatch(
    new RegExp(
      `^# ${company.name}\n\n> .+\n\n(?:- .+\n)+(?:\n## .+\n\n(?:- \\[.+\\]\\(.+\\): .+\n)+)+$`,
    ),
  );
  const links = [...text.matchAll(/(?<!\\)\]\(([^)]+)\)/g)].map(([, link]) => link ?? '');
  for (const link of links) {
    expect(link.startsWith(`${site.url}/`)).toBe(true);
    expect([link, (await request.get(link)).status()]).toEqual([link, 200]);
  }
});

test('licenses.txt lists the licenses of the scripts and fonts', async ({ request }) => {
  const response = await request.get('/licenses.txt');
  expect(response.status()).toBe(200);
  expect(response.headers()['content-type']).toBe('text/plain; charset=utf-8');
  const text = await response.text();
  for (const name of ['react', '@codemirror/view', '@fontsource/bricolage-grotesque']) {
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((?:MIT|OFL-1\\.1)\\)$`, 'm'));
  }
  expect(text).toContain('SIL OPEN FONT LICENSE');
});
