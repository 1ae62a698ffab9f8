import { signInNewUser } from '../support/account.ts';
import { expect, test } from '../support/site-test.ts';

const title = '</title>]]> ]]><script>window.ran = 1</script> & "quotes"';

test('the feeds are valid and complete even if a title contains markup', async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  const slug = email.split('@')[0] ?? '';
  const saved = await page.request.post('/api/posts', {
    data: {
      title: `${title}\u0007`,
      slug,
      content: 'See [this](/contact?a=1&b=2).',
      published: true,
    },
    headers: { Origin: site.url },
  });
  expect(saved.status()).toBe(201);
  const { post } = await saved.json();
  const link = `<a href="${site.url}/contact?a=1&amp;b=2">this</a>`;

  await page.goto('/blog');
  const offered = await page
    .locator('link[rel="alternate"]')
    .evaluateAll((links) =>
      links.map((each) => [each.getAttribute('type'), each.getAttribute('href')]),
    );
  expect(offered.map(([type]) => type).sort()).toEqual([
    'application/atom+xml',
    'application/feed+json',
    'application/rss+xml',
  ]);
  const files = new Map<string, string>();
  for (const [type = '', path = ''] of offered) {
    const read = async () => {
      const response = await page.request.get(path ?? '');
      expect(response.headers()['content-type']).toBe(`${type}; charset=utf-8`);
      const text = await response.text();
      files.set(type ?? '', text);
      return text;
    };
    await expect.poll(read).toContain(post.id);
  }

  const parse = (type: string) =>
    page.evaluate(
      ([xml = '', id = '']) => {
        const parsed = new DOMParser().parseFromString(xml, 'application/xml');
        const entry = [...parsed.querySelectorAll('item, entry')].find((each) =>
          each.querySelector('guid, id')?.textContent?.endsWith(id),
        );
        const texts = [...(entry?.children ?? [])].map(
          (child) => [child.localName, child.textContent ?? ''] as const,
        );
        return {
          error: parsed.querySelector('parsererror')?.textContent,
          ...Object.fromEntries(texts),
          self: parsed.querySelector('[rel="self"]')?.getAttribute('href'),
        };
      },
      [files.get(type) ?? '', post.id],
    );
  const shown = title.replaceAll(']]>', ']]&gt;');
  expect(await parse('application/rss+xml')).toMatchObject({
    title: shown,
    link: `${site.url}/blog/${slug}`,
    encoded: expect.stringContaining(link),
    self: `${site.url}/blog/rss.xml`,
  });
  const atom = await parse('application/atom+xml');
  expect(atom).toMatchObject({
    content: expect.stringContaining(link),
    self: `${site.url}/blog/atom.xml`,
  });
  const asText = await page.evaluate(
    (html) => new DOMParser().parseFromString(html, 'text/html').body.textContent,
    'title' in atom ? String(atom.title) : '',
  );
  expect(asText).toBe(title);
  const json = JSON.parse(files.get('application/feed+json') ?? '');
  const item = json.items.find(({ id }: { id: string }) => id.endsWith(post.id));
  expect(item).toMatchObject({ title, content_html: expect.stringContaining(link) });

  const old = await page.request.get('/blog/feed.xml', { maxRedirects: 0 });
  expect([old.status(), old.headers()['location']]).toEqual([301, '/blog/rss.xml']);
});
