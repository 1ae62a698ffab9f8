// Measures how long the largest texts block the event loop while they are saved, published and
// read, in CPU time of the main thread, so that other programs do not distort the result.
// Run after a build: node tests/load/event-loop.ts
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pipelineVersion } from '@app/api/src/blog/rendering/bodies.ts';
import { renderFile } from '@app/api/src/publishing/page-files.ts';
import { loadBuild } from '@app/api/src/publishing/renderer.ts';
import { makeTestApp, publicUrl, signedInBrowser } from '@app/api/src/testing/test-app.ts';
import { inProcess } from '@app/api/src/testing/test-renderer.ts';
import type { PostSaved } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import type { DatabaseOrTransaction } from '@app/db/open';
import { blogPostBodies, blogPosts } from '@app/db/schema/blog';
import { root } from '../architecture/sources.ts';

const fill = (part: string, length: number = limits.content): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

const texts: Record<string, string> = {
  prose: fill(
    '## A heading\n\nSome **bold** text with "quotes" and more, as people write it.\n\n- one\n- two\n\n',
  ),
  'one-letter lines': fill('a\n'),
  'one-letter paragraphs': fill('a\n\n'),
  'list items': fill('- a\n'),
  'numbered items': fill('1. a\n'),
  'tabs and letters': fill('\ta\n'),
  'quotation marks': fill('"a'),
  Chinese: fill('漢字'),
  tables: fill('|a|b|\n|-|-|\n|1|2|\n\n', 22_000),
  brackets: fill('[a] '),
  'less-than signs': fill('<a '),
  spaces: `x${' '.repeat(199_997)}*y`,
  asterisks: `${'*'.repeat(99_999)}a${'*'.repeat(99_999)}`,
};

const folder = join(root, 'apps/web/dist');
const options = { folder, publicUrl, contentVersion: pipelineVersion };
const renderer = inProcess(await loadBuild(options));
await using testApp = await makeTestApp({ renderer });
const { db, clock } = testApp.deps;
// Several accounts, because rendering the largest texts uses most of what one may use per minute.
const [ann, bob, cara] = [
  await signedInBrowser(testApp, 'ann@example.com'),
  await signedInBrowser(testApp, 'bob@example.com'),
  await signedInBrowser(testApp, 'cara@example.com'),
];

/** Max CPU time of one turn of the event loop, in milliseconds. */
const budget = 50;
const overBudget: string[] = [];

/** In microseconds. */
let longestTurn = 0;
let cpuAtTick = process.threadCpuUsage();
const endTurn = () => {
  const { user, system } = process.threadCpuUsage(cpuAtTick);
  longestTurn = Math.max(longestTurn, user + system);
  cpuAtTick = process.threadCpuUsage();
};
const ticks = setInterval(endTurn, 1);

async function measure(
  name: string,
  work: () => Promise<{ status?: number } | unknown>,
): Promise<void> {
  await pause(50);
  longestTurn = 0;
  const began = performance.now();
  const cpuBefore = process.threadCpuUsage();
  const result = (await work()) as { status?: number } | undefined;
  const milliseconds = performance.now() - began;
  const { user, system } = process.threadCpuUsage(cpuBefore);
  await pause(20);
  endTurn();
  const turn = longestTurn / 1_000;
  if (turn > budget) overBudget.push(`${name}: ${turn.toFixed(1)} ms`);
  console.log(
    `${name.padEnd(44)} ${String(result?.status ?? '').padEnd(4)} ${milliseconds.toFixed(0).padStart(6)} ms, ${((user + system) / 1_000).toFixed(0).padStart(4)} ms of CPU time, longest turn ${turn.toFixed(1).padStart(6)} ms`,
  );
}

/** For requests on which later measurements depend. @throws if the request was refused */
async function done(reply: Promise<Response>): Promise<Response> {
  const response = await reply;
  if (response.ok) return response;
  throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
}

await measure('first post', () =>
  ann.post('/api/posts', { title: 'Warm', content: 'up', published: true }),
);
let number = 0;
for (const [name, content] of Object.entries(texts)) {
  for (const round of [1, 2]) {
    number += 1;
    const body = { title: `Post ${number}`, content, published: true };
    await measure(`save ${content.length} ${name} (${round})`, () => ann.post('/api/posts', body));
  }
}
for (const [name, content] of Object.entries(texts)) {
  const body = { title: 'A preview', content };
  await measure(`preview ${content.length} ${name}`, () => bob.post('/api/posts/preview', body));
}
const written = { title: 'Written', slug: 'written', content: texts['one-letter lines'] };
const { post } = (await (await done(cara.post('/api/posts', written))).json()) as PostSaved;
for (let version = 1; version <= 25; version += 1) {
  const content = fill(`${version}\n`, 160_000);
  await done(cara.send('PATCH', `/api/posts/${post.id}`, { content }));
}
const theirs = fill('a\nb\n', 160_000);
for (const [name, content] of Object.entries({ lines: fill('b\na\n'), text: fill('b ') })) {
  await done(cara.send('PATCH', `/api/posts/${post.id}`, { content: `${theirs}${name}` }));
  await measure(`save on an older version, ${name}`, () =>
    cara.send('PATCH', `/api/posts/${post.id}`, { baseVersion: 2, content }),
  );
}
await measure('unsaved text', () =>
  cara.send('PUT', `/api/posts/drafts/${post.id}`, {
    title: 'Unsaved',
    baseVersion: 2,
    content: fill('/pictures/0123456789abcdef01234567/1 \n', 200_000),
  }),
);
await measure('the history of long texts', () => cara.get('/blog/editor/written/history'));
await measure('a comparison', () => cara.get('/blog/editor/written/history?version=3'));
const draft = { title: 'A draft', slug: 'a-draft', content: texts['list items'], published: false };
await done(cara.post('/api/posts', draft));
await measure('draft page of the largest body', () => cara.get('/blog/a-draft'));
await measure('its editor', () => cara.get('/blog/editor/a-draft'));
await measure('a JSON body of 1 MB', () =>
  cara.post('/api/posts', { title: 'A', content: fill('a\n', 1_000_000) }),
);
await measure('a title of 1 MB of combining marks', () =>
  cara.post('/api/posts', { title: fill('\u0301\u0327', 300_000), content: 'a' }),
);
await measure('a name of 120,000 combining marks', () =>
  cara.send('PATCH', '/api/profile', {
    fullName: `a${'\u0301'.repeat(60_000)}${'\u0327'.repeat(60_000)}`,
  }),
);
await measure('a form post of 1 MB', () =>
  cara.submit('/api/contact', { name: 'A', email: 'a@b.example', message: fill('%', 300_000) }),
);
await measure('GET /api/posts of large posts', () => testApp.browser().get('/api/posts'));
await measure('GET /api/posts/{slug} of a large post', () => cara.get('/api/posts/a-draft'));
await measure('/api/health', () => testApp.browser().get('/api/health'));
await measure('a path of 16,000 slashes', () => testApp.browser().get(`/a${'/'.repeat(16_000)}`));

type Inserted = Pick<typeof blogPosts.$inferInsert, 'id' | 'title' | 'content'> & {
  createdAt: number;
};

function insertPost(into: DatabaseOrTransaction, post: Inserted): void {
  const { id, createdAt } = post;
  into
    .insert(blogPosts)
    .values({
      ...post,
      ...{ slug: id, excerpt: id, published: true, updatedAt: createdAt },
      ...{ authorId: null, authorEmail: '' },
    })
    .run();
}

for (const [language, title, part] of [
  ['Russian', 'Слово', 'Трубы замерзают зимой '],
  ['Vietnamese', 'Từ', 'Tiếng Việt ở đây '],
  // The text almost matches at every position.
  ['Hindi', `${'कि'.repeat(7)}ग`, 'क '],
] as const) {
  for (let index = 0; index < limits.searchResults; index += 1) {
    const id = `${language}-${index}`;
    const now = clock.now();
    insertPost(db, { id, title, content: 'a', createdAt: now });
    const body = { pipelineVersion, problem: null, words: 0, isRich: false, html: 'a' };
    db.insert(blogPostBodies)
      .values({ postId: id, ...body, text: fill(part, 50_000) })
      .run();
  }
  await measure(`a search in 20 long texts, ${language}`, () =>
    testApp.browser().get(`/api/search?q=${encodeURIComponent(title)}`),
  );
}

const html = fill('<li>a</li>\n', limits.contentHtml);
for (let index = 0; index < 12; index += 1) {
  const now = clock.now() + 1_000_000 + index;
  const id = `big-${index}`;
  insertPost(db, { id, title: id, content: fill('- a\n'), createdAt: now });
  const body = { pipelineVersion, problem: null, words: 0, isRich: false, html };
  db.insert(blogPostBodies)
    .values({ postId: id, ...body })
    .run();
}
const { pages } = testApp.deps.publisher;
const render = async (path: string) => {
  const page = await pages.at(path);
  if (!page) throw new Error(`${path} has no page`);
  return renderFile(renderer.render, path, page);
};
const feedHtml = fill('<li>"a"&amp;</li>\n', Math.floor(limits.feedHtml / 12));
const fillsFeed = db.update(blogPostBodies).set({ html: feedHtml });
for (const round of [1, 2, 3]) {
  await measure(`the largest page (${round})`, () => render('/blog/big-0'));
  await measure(`/blog with 12 of the largest posts (${round})`, () => render('/blog'));
  await measure(`the feed with 12 of the largest posts (${round})`, () => render('/blog/rss.xml'));
}
fillsFeed.run();
for (const round of [1, 2, 3]) {
  await measure(`the feed, filled to its limit (${round})`, () => render('/blog/rss.xml'));
}
db.transaction((tx) => {
  for (let index = 0; index < 5_000; index += 1) {
    const now = Date.parse('2025-06-02') + index;
    const id = `small-${index}`;
    insertPost(tx, {
      id,
      title: `A title of some length, as posts have ${index}`,
      content: 'a',
      createdAt: now,
    });
  }
});
for (const round of [1, 2]) {
  await measure(`a month of 5,000 posts (${round})`, () => render('/blog/archive/2025-06'));
  await measure(`its sitemap (${round})`, () => render('/blog/sitemap-2025-06.xml'));
}
clearInterval(ticks);
if (overBudget.length > 0) {
  console.error(`\nOver ${budget} ms in one turn:\n${overBudget.join('\n')}`);
  process.exitCode = 1;
}
