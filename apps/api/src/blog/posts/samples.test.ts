import { expect, test } from 'vitest';
import { shownAt, startWriting } from '../../testing/blog.ts';
import { monthsOn, publishedPages, slugsOn, wantedPages } from '../../testing/site.ts';
import { makeTestApp } from '../../testing/test-app.ts';
import { testSamplePosts } from '../../testing/test-renderer.ts';
import { until } from '../../testing/until.ts';

test('shows sample posts until the first post is published', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change, remove } = await startWriting(testApp);
  const withSamples = await publishedPages(testApp);
  const sampleSlugs = testSamplePosts.map(({ slug }) => slug);
  expect(await slugsOn(testApp, '/blog')).toEqual(sampleSlugs);

  const { post } = await write('Sketch', { published: false });
  expect(await publishedPages(testApp)).toEqual(withSamples);

  await change(post, { published: true });
  expect(await slugsOn(testApp, '/blog')).toEqual(['sketch']);
  expect(await monthsOn(testApp, '/blog/archive')).toEqual(['2026-03']);
  expect(await monthsOn(testApp, '/sitemap.xml')).toEqual(['2026-03']);
  expect(await shownAt(testApp, '/blog/archive/2025-03')).toBeNull();
  // The samples keep their own pages.
  for (const slug of sampleSlugs) {
    expect(await shownAt(testApp, `/blog/${slug}`)).toMatchObject({ post: { isSample: true } });
  }
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));

  await change(post, { published: false });
  expect(await publishedPages(testApp)).toEqual(withSamples);
  await change(post, { published: true });
  await remove(post);
  expect(await publishedPages(testApp)).toEqual(withSamples);
});

test('a post replaces the sample with the same slug', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write } = await startWriting(testApp);
  const [sample] = testSamplePosts;
  const { post } = await write('Ours', { slug: sample?.slug });
  expect(await shownAt(testApp, `/blog/${post.slug}`)).toMatchObject({ kind: 'post', post });
});

test('a draft hides the sample with the same slug until it is renamed', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const { write, change } = await startWriting(testApp);
  const withSamples = await publishedPages(testApp);
  const [sample, other] = testSamplePosts;
  const { post } = await write('Ours', { slug: sample?.slug, published: false });
  expect(await shownAt(testApp, `/blog/${sample?.slug}`)).toBeNull();
  expect(await slugsOn(testApp, '/blog')).toEqual([other?.slug]);

  await change(post, { slug: 'elsewhere' });
  expect(await publishedPages(testApp)).toEqual(withSamples);

  // The old slug of a published post redirects to it.
  await change(post, { published: true });
  await until(() => testApp.deps.publisher.depth() === 0);
  expect(await shownAt(testApp, `/blog/${sample?.slug}`)).toEqual({
    kind: 'moved',
    to: 'elsewhere',
  });
  expect(await publishedPages(testApp)).toEqual(await wantedPages(testApp));
});
