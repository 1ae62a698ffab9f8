import { company } from '@app/site/company';
import { expect, test } from '../support/site-test.ts';

test('robots.txt leads to the sitemap', async ({ request, site }) => {
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
  const days = (Date.parse(expires) - Date.now()) / (24 * 60 * 60 * 1_000);
  expect(days).toBeGreaterThan(0);
  expect(days).toBeLessThan(365);
});

test('llms.txt has a title, a summary and working links', async ({ request, site }) => {
  const text = await (await request.get('/llms.txt')).text();
  expect(text).toMatch(
    new RegExp(
      `^# ${company.name}\n\n> .+\n\n(?:- .+\n)+(?:\n## .+\n\n(?:- \\[.+\\]\\(.+\\): .+\n)+)+$`,
    ),
  );
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link ?? '');
  for (const link of links) {
    expect(link.startsWith(`${site.url}/`)).toBe(true);
    expect([link, (await request.get(link)).status()]).toEqual([link, 200]);
  }
});
