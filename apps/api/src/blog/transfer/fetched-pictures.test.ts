import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pictures } from '@app/db/schema/pictures';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createImageProcessor } from '../../images/image-processor.ts';
import { makeTestApp } from '../../testing/test-app.ts';
import { postsOf, writeSource } from '../../testing/transfer.ts';
import { createPictureFiles } from '../pictures/picture-files.ts';
import { createBodyRenderer } from '../rendering/body-renderer.ts';
import { createTextConverter } from './convert/text-converter.ts';
import { FetchError } from './fetch-file.ts';
import { createFetchedPictures } from './fetched-pictures.ts';
import { importPosts } from './import.ts';
import { openSource } from './open-source.ts';

test('an import copies pictures from the web', async () => {
  await using app = await makeTestApp();
  const { db, clock } = app.deps;
  const png = await sharp({ create: { width: 600, height: 400, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const loaded: string[] = [];
  const signal = new AbortController().signal;
  const files = createPictureFiles(app.dataDir);
  const site = { db, files, clock, signal };
  const fetchedPictures = createFetchedPictures({
    ...site,
    images: createImageProcessor({ log: app.deps.log }),
    load: async (url) => {
      loaded.push(url);
      if (url.endsWith('missing.png')) throw new FetchError('the server answered 404');
      return url.endsWith('text.png') ? Buffer.from('text') : png;
    },
  });
  const html = ['a', 'a', 'missing', 'text'].map(
    (name) => `<p><img src="https://example.com/${name}.png" alt="${name}"></p>`,
  );
  const post = {
    id: '1',
    uuid: 'u',
    title: 'A',
    slug: 'a',
    status: 'published',
    created_at: '2020-01-01',
  };
  const data = { ...post, html: html.join(''), feature_image: 'https://example.com/a.png' };
  const path = join(writeSource({ 'ghost.json': { data: { posts: [data] } } }), 'ghost.json');
  const converter = createTextConverter(app.deps.log);
  const bodyRenderer = createBodyRenderer();
  const { notes } = await importPosts({
    ...site,
    source: await openSource(path, null),
    converter,
    bodyRenderer,
    fetchedPictures,
    defaultAuthor: null,
    isDryRun: false,
    onProgress: () => undefined,
  });
  bodyRenderer.close();
  await converter.end();

  const [picture, more] = db.select().from(pictures).all();
  expect(more).toBeUndefined();
  expect(picture).toMatchObject({ width: 600, height: 400, userId: null });
  const stored = `/pictures/${picture?.id}/600x400.webp`;
  const [saved] = postsOf(app);
  expect(saved?.coverImage).toBe(stored);
  expect(saved?.content).toBe(
    `![a](${stored})\n\n![a](${stored})\n\n![missing](https://example.com/missing.png)\n\n![text](https://example.com/text.png)`,
  );
  expect(notes.map(({ note }) => note)).toEqual([
    'The picture https://example.com/missing.png stays on the web: the server answered 404.',
    expect.stringContaining('https://example.com/text.png stays on the web: We couldn'),
  ]);
  expect(loaded).toHaveLength(3);
  expect(readdirSync(join(app.dataDir, 'uploads/pictures', picture?.id ?? ''))).toHaveLength(4);
});
