import type { PostSaved } from '@app/contract/blog/posts';
import type { SearchResults } from '@app/contract/blog/search';
import { blogPostBodies, blogPosts } from '@app/db/schema/blog';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { startWriting } from '../../testing/blog.ts';
import { makeTestApp, type TestApp } from '../../testing/test-app.ts';
import { testSamplePosts } from '../../testing/test-renderer.ts';
import { purgeDeletedWords } from './purge-deleted-words.ts';

async function search(testApp: TestApp, query: string): Promise<SearchResults> {
  const response = await testApp.browser().get(`/api/search?q=${encodeURIComponent(query)}`);
  expect(response.status).toBe(200);
  return response.json() as Promise<SearchResults>;
}

const found = async (testApp: TestApp, query: string): Promise<string[]> =>
  (await search(testApp, query)).results.map(({ slug }) => slug);

test('updates the results at once after every change of a post', async () => {
  await using testApp = await makeTestApp();
  const { write, change, remove } = await startWriting(testApp);
  const { post }: PostSaved = await write('First', {
    content: 'A **plumber** on a ladder',
    excerpt: 'Who came',
  });
  expect(await found(testApp, 'plumber')).toEqual(['first']);
  await change(post, { content: 'An electrician' });
  expect(await found(testApp, 'plumber')).toEqual([]);
  expect(await found(testApp, 'electrician')).toEqual(['first']);
  await change(post, { title: 'Renamed', slug: 'renamed' });
  expect(await found(testApp, 'renamed electrician')).toEqual(['renamed']);
  await change(post, { published: false });
  expect(await found(testApp, 'electrician')).toEqual([]);
  await change(post, { published: true });
  expect(await found(testApp, 'electrician')).toEqual(['renamed']);
  await remove(post);
  expect(await found(testApp, 'electrician')).toEqual([]);
});

test('finds the sample posts until the first post is published', async () => {
  await using testApp = await makeTestApp();
  const { write, change } = await startWriting(testApp);
  const slugs = testSamplePosts.map(({ slug }) => slug);
  // In titles, excerpts and bodies; the last word may be incomplete.
  expect(await found(testApp, 'sam')).toEqual(slugs);
  for (const query of ['what newer', 'SÓME text', 'newer sample tex']) {
    expect([query, await found(testApp, query)]).toEqual([query, ['newer-sample']]);
  }
  for (const query of ['sam newer', 'older some', '']) {
    expect([query, await found(testApp, query)]).toEqual([query, []]);
  }
  expect((await search(testApp, 'heading')).results).toEqual([
    {
      slug: 'older-sample',
      title: [{ text: 'Older sample', isMatch: false }],
      snippet: [
        { text: 'Heading', isMatch: true },
        { text: ' Other text.', isMatch: false },
      ],
      createdAt: '2025-01-15T15:00:00.000Z',
    },
  ]);

  const { post } = await write('Ours', { slug: 'newer-sample', published: false });
  expect(await found(testApp, 'sample')).toEqual(['older-sample']);
  await change(post, { published: true });
  expect(await found(testApp, 'sample')).toEqual([]);
});

test('the cleanup removes deleted words from the index', async () => {
  await using testApp = await makeTestApp();
  const { write, change, remove } = await startWriting(testApp);
  await write('Stays', { content: 'A plumber' });
  const { post }: PostSaved = await write('Changes', {
    content: 'A confidential electrician',
    excerpt: 'Who came',
  });
  const { post: gone }: PostSaved = await write('Gone', { content: 'A confidential visit' });
  const client = testApp.deps.db.$client;
  const blocks = client.prepare<[], Buffer>('SELECT block FROM blog_search_data').pluck();
  const isIn = (word: string) => blocks.all().some((block) => block.includes(word));
  await change(post, { content: 'A plumber, too' });
  await remove(gone);
  // Words that share a prefix are stored without it.
  expect(isIn('fidential')).toBe(true);

  await purgeDeletedWords(testApp.deps);

  expect(isIn('fidential')).toBe(false);
  expect((await found(testApp, 'plumber')).sort()).toEqual(['changes', 'stays']);
  expect(await found(testApp, 'confidential')).toEqual([]);
});

test('does not find drafts or posts that cannot be rendered', async () => {
  await using testApp = await makeTestApp();
  const { db } = testApp.deps;
  const { write } = await startWriting(testApp);
  await write('A draft', { content: 'plumber', published: false });
  const { post } = await write('Broken', { content: 'plumber' });
  db.update(blogPostBodies)
    .set({ html: null, text: null, problem: 'too complex' })
    .where(eq(blogPostBodies.postId, post.id))
    .run();
  expect(await found(testApp, 'plumber')).toEqual([]);
  // Deleted by a cascade.
  await write('Gone', { content: 'plumber' });
  db.delete(blogPosts).run();
  expect(await found(testApp, 'plumber')).toEqual([]);
  expect(db.get(sql`SELECT count(*) AS count FROM blog_search`)).toEqual({ count: 0 });
});

test('the title counts more than the text, and the text has no markup', async () => {
  await using testApp = await makeTestApp();
  const { write } = await startWriting(testApp);
  await write('Other', { content: 'ladder '.repeat(20), excerpt: 'x' });
  await write('The ladder', { content: 'See [**this**](/strong) & <em>', excerpt: 'x' });
  expect(await found(testApp, 'ladder')).toEqual(['the-ladder', 'other']);
  expect(await found(testApp, 'strong')).toEqual([]);
  const [first] = (await search(testApp, 'ladder')).results;
  expect(first?.title).toEqual([
    { text: 'The ', isMatch: false },
    { text: 'ladder', isMatch: true },
  ]);
  expect(first?.snippet).toEqual([{ text: 'See this & <em>', isMatch: false }]);
});

test('searches the text of the page, without the numbers of footnotes', async () => {
  await using testApp = await makeTestApp();
  const { write } = await startWriting(testApp);
  const content = 'She **answers**: `al`arm[^1].\nAt night\n\n- one\n- two\n\n[^1]: In Spanish.';
  await write('Calls', { content, excerpt: 'x' });
  const [first] = (await search(testApp, 'calls')).results;
  const text = 'She answers: alarm. At night one two In Spanish.';
  expect(first?.snippet).toEqual([{ text, isMatch: false }]);
});

test('finds the beginning of the last word, one mistake, accents and other scripts', async () => {
  await using testApp = await makeTestApp();
  const { write } = await startWriting(testApp);
  await write('Telephone calendar', { content: 'Crème brûlée für Zürich, привет мир' });
  const slug = ['telephone-calendar'];
  for (const query of [
    'telep',
    'calendar tele',
    'creme',
    'CRÈME',
    'zurich',
    'приве',
    'a telephone'.slice(2),
  ]) {
    expect([query, await found(testApp, query)]).toEqual([query, slug]);
  }
  for (const typo of ['telphone', 'telehpone', 'telephome', 'tellephone', 'xelephone']) {
    expect(await search(testApp, typo)).toMatchObject({
      corrected: 'telephone',
      results: [{ slug: 'telephone-calendar' }],
    });
  }
  for (const query of ['telep calendar', 'tlphne', 'xyz', '']) {
    expect([query, await found(testApp, query)]).toEqual([query, []]);
  }
  const [match] = (await search(testApp, 'zurich')).results;
  expect(match?.snippet).toContainEqual({ text: 'Zürich', isMatch: true });
});

test('finds and marks words of all scripts', async () => {
  await using testApp = await makeTestApp();
  const { write } = await startWriting(testApp);
  const words = [
    ...['한국어', 'ガイド', 'новый', 'Ёлка', 'άνθρωπος', 'Ελλάς', 'हिन्दी', 'עִבְרִית', 'ไทย'],
    ...['العَرَبِيَّة', 'Việt', 'İstanbul', 'ılık', 'çözüm', 'Łódź', 'straße', 'cre\u0300me'],
  ];
  for (const [index, word] of words.entries()) {
    const text = `one ${word}, two`;
    await write(text, { slug: `post-${index}`, content: text, excerpt: 'x' });
  }
  const marked = (word: string) => [
    { text: 'one ', isMatch: false },
    { text: word, isMatch: true },
    { text: ', two', isMatch: false },
  ];
  const beginnings = ['한국', 'ガイド', 'нов', 'ёл', 'άνθρ', 'Ελλά', 'हिन्दी', 'עִבְרִית', 'ไทย'];
  const queries = [
    ...words.map((word) => [word, word] as const),
    ...words.map((word) => [word.normalize('NFD'), word] as const),
    ...beginnings.map((beginning, index) => [beginning, words[index] ?? ''] as const),
  ];
  for (const [query, word] of queries) {
    // Titles are composed (NFC), texts stay as they are.
    const found = { title: marked(word.normalize('NFC')), snippet: marked(word) };
    const { results } = await search(testApp, query);
    expect([query, results]).toMatchObject([query, [found]]);
  }
});

test('finds and marks words anywhere in texts of scripts without spaces', async () => {
  await using testApp = await makeTestApp();
  const { write } = await startWriting(testApp);
  const texts = [
    ['東京の会議について', '東京', '会議', '京', '京の会議', 'ついて'],
    ['今日は全文検索のテストです', '検索', '全文検索', 'テスト'],
    ['ภาษาไทยไม่มีช่องว่าง', 'ไทย', 'ช่อง', 'ว่าง', 'ไม่มี'],
    ['ພາສາລາວ', 'ລາວ'],
    ['ភាសាខ្មែរ', 'ខ្មែរ'],
    ['မြန်မာဘာသာ', 'ဘာသာ'],
    ['最新AIニュースとC言語', 'AI', 'ニュース', '最新AI', 'AIニュ', 'C言語'],
    ['𠮷野家で𠮷', '𠮷野', '𠮷'],
  ] as const;
  for (const [index, [text]] of texts.entries()) {
    await write(text, { slug: `post-${index}`, content: text, excerpt: 'x' });
  }
  for (const [index, [text, ...queries]] of texts.entries()) {
    for (const query of queries) {
      const { results } = await search(testApp, query);
      expect([query, results.map(({ slug }) => slug)]).toEqual([query, [`post-${index}`]]);
      for (const parts of [results[0]?.title, results[0]?.snippet]) {
        expect([query, parts?.map((part) => part.text).join('')]).toEqual([query, text]);
        const marked = parts?.filter(({ isMatch }) => isMatch).map((part) => part.text);
        expect([query, new Set(marked)]).toEqual([query, new Set([query])]);
      }
    }
  }
  expect(await found(testApp, '京会')).toEqual([]);
  expect(await found(testApp, '東京 ついて')).toEqual(['post-0']);
});

test('finds every letter of these scripts in titles and excerpts, as in texts', async () => {
  await using testApp = await makeTestApp();
  const { write } = await startWriting(testApp);
  // The first and last letters of the ranges in the migration and in letters-apart.ts.
  const letters = 'กໆကႎកៜ々ァー豈﨩ｦﾝ㐀鿏𠀀𰀀'.normalize('NFC');
  for (const [index, letter] of [...letters].entries()) {
    await write(`a${letter}b`, { slug: `title-${index}`, content: 'x', excerpt: 'x' });
    await write('x', { slug: `excerpt-${index}`, content: 'x', excerpt: `c${letter}d` });
    await write('x', { slug: `text-${index}`, content: `e${letter}f`, excerpt: 'x' });
  }
  const slugs = ({ results }: SearchResults) => results.map(({ slug }) => slug.replace(/-.*/, ''));
  for (const letter of letters) {
    for (const [query, where] of [
      [`a${letter}`, 'title'],
      [`${letter}d`, 'excerpt'],
      [`e${letter}`, 'text'],
    ] as const) {
      expect([query, slugs(await search(testApp, query))]).toEqual([query, [where]]);
    }
  }
});

test('shows a part of a long text without spaces around its match', async () => {
  await using testApp = await makeTestApp();
  const { write } = await startWriting(testApp);
  const content = `${'春夏秋冬'.repeat(100)}会議${'東西南北'.repeat(100)}`;
  await write('Words', { content, excerpt: 'x' });
  const snippet = (await search(testApp, '会議')).results[0]?.snippet ?? [];
  expect(snippet.map(({ text, isMatch }) => (isMatch ? text : text.length))).toEqual([
    expect.any(Number),
    '会議',
    expect.any(Number),
  ]);
  expect(snippet[0]?.text).toMatch(/^… [春夏秋冬]{20,60}$/);
  expect(snippet[2]?.text).toMatch(/^[東西南北]{40,200} …$/);
});

test('finds words in capitals, with the other sigma, and Latin words without accents', async () => {
  await using testApp = await makeTestApp();
  const { write } = await startWriting(testApp);
  await write('Words', { content: 'новый Ελλάς Łódź e\u0301te\u0301' });
  for (const query of ['НОВЫЙ', 'ΕΛΛΆΣ', 'łodz', 'ete', 'été']) {
    expect([query, await found(testApp, query)]).toEqual([query, ['words']]);
    const snippet = (await search(testApp, query)).results[0]?.snippet;
    expect([query, snippet?.filter(({ isMatch }) => isMatch)]).toMatchObject([query, [{}]]);
  }
});

test('corrects a mistake in words of other scripts', async () => {
  await using testApp = await makeTestApp();
  const { write } = await startWriting(testApp);
  await write('Words', { content: 'новый' });
  expect(await search(testApp, 'Нвоый')).toMatchObject({
    corrected: 'новый',
    results: [{ slug: 'words' }],
  });
});

test('lists the newest of equal matches first, not the one that was changed last', async () => {
  await using testApp = await makeTestApp();
  const { write, change } = await startWriting(testApp);
  const texts = { content: 'ladder', excerpt: 'x' };
  const { post } = await write('One', texts);
  for (const title of ['Two', 'Six']) {
    testApp.clock.move(1_000);
    await write(title, texts);
  }
  await change(post, { content: 'ladder again' });
  await change(post, { content: 'ladder' });
  expect(await found(testApp, 'ladder')).toEqual(['six', 'two', 'one']);
});

test('lets other work run between the results', async () => {
  await using testApp = await makeTestApp();
  const { write } = await startWriting(testApp);
  for (let n = 0; n < 20; n += 1) await write(`Word ${n}`);
  let turns = 0;
  let isSearching = true;
  const countTurn = () => {
    turns += 1;
    if (isSearching) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  expect(await found(testApp, 'word')).toHaveLength(20);
  isSearching = false;
  expect(turns).toBeGreaterThanOrEqual(20);
});

test.each([
  '"',
  "'",
  '*',
  'a*',
  '^a',
  'title:first',
  'first AND',
  'OR',
  'NOT first',
  'NEAR(first, 2)',
  '(',
  '-first',
  '{title}',
  '\\',
  '%00',
  '\u0000',
  ';--',
  '“first”',
  '+',
  'a'.repeat(100),
  'हि'.repeat(50),
  '́'.repeat(100),
])('treats FTS5 syntax as text: %s', async (query) => {
  await using testApp = await makeTestApp();
  const { write } = await startWriting(testApp);
  await write('First');
  expect((await search(testApp, query)).results.length).toBeLessThanOrEqual(1);
});

test('rejects a long query, and too many queries', async () => {
  await using testApp = await makeTestApp();
  const long = await testApp.browser().get(`/api/search?q=${'a'.repeat(101)}`);
  expect(long.status).toBe(422);
  expect(await long.json()).toMatchObject({ code: 'invalid_input', issues: [{ path: 'q' }] });
  const visitor = testApp.browser();
  for (let n = 0; n < 120; n += 1) expect((await visitor.get('/api/search?q=a')).status).toBe(200);
  const refused = await visitor.get('/api/search?q=a');
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: 'too_many_requests' });
});

test('the page shows results and errors without JavaScript', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);
  await write('The ladder');
  const page = async (query: string) => {
    const response = await testApp.browser().get(`/blog/search${query}`);
    return { status: response.status, text: await response.text() };
  };
  expect(await page('')).toMatchObject({
    status: 200,
    text: expect.stringContaining('"found":null'),
  });
  expect(await page('?q=+')).toMatchObject({
    status: 200,
    text: expect.stringContaining('"found":{"results":[]'),
  });
  const found = await page('?q=ladder');
  expect(found).toMatchObject({ status: 200, text: expect.stringContaining('"the-ladder"') });
  expect(await page(`?q=${'a'.repeat(101)}`)).toMatchObject({
    status: 422,
    text: expect.stringContaining('at most 100 characters'),
  });
});

test('shows at most 20 posts', async () => {
  await using testApp = await makeTestApp();
  const { write } = await startWriting(testApp);
  for (let n = 0; n < 25; n += 1) await write(`Post ${n}`, { content: 'ladder' });
  expect(await found(testApp, 'ladder')).toHaveLength(20);
});
