import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SamplePost } from '@app/contract/blog/posts';
import { buildOrigin, type Card, cardFolderOf, type PageData } from '@app/contract/pages';
import { writePages } from '../publishing/page-files.ts';
import type { LoadedBuild, Renderer } from '../publishing/renderer.ts';

export const testSamplePosts: readonly SamplePost[] = [
  {
    slug: 'newer-sample',
    title: 'Newer sample',
    excerpt: 'What the newer one is about.',
    content: 'Some **text**.',
    tags: [{ slug: 'phones', name: 'Phones' }],
    createdAt: '2025-03-01T15:00:00.000Z',
    authorName: 'The company',
  },
  {
    slug: 'older-sample',
    title: 'Older sample',
    excerpt: 'What the older one is about.',
    content: '## Heading\n\nOther text.',
    tags: [
      { slug: 'phones', name: 'Phones' },
      { slug: 'writing', name: 'Writing' },
    ],
    createdAt: '2025-01-15T15:00:00.000Z',
    authorName: 'The company',
  },
];

/** A small build: a few static files, and pages that contain their data. */
export function makeRenderer(folder: string, buildId = 'build-1'): Renderer {
  const staticFiles = join(folder, `static-${buildId}`);
  mkdirSync(join(staticFiles, '_astro'), { recursive: true });
  writeFileSync(
    join(staticFiles, 'index.html'),
    `<!doctype html><link rel="canonical" href="${buildOrigin}/"><p>Home of ${buildId}</p>`,
  );
  writeFileSync(join(staticFiles, '404.html'), '<!doctype html><p>Oops! Page not found</p>');
  writeFileSync(join(staticFiles, '_astro', `${buildId}.js`), `console.log('${buildId}')`);
  return inProcess({
    buildId,
    staticFiles,
    samplePosts: testSamplePosts,
    cardModule: join(folder, 'no-card-module.mjs'),
    render: async (path, page: PageData) => ({
      bytes: Buffer.from(
        `<!doctype html><title>${path} of ${buildId}</title><pre>${JSON.stringify(page)}</pre>`,
      ),
      card: null,
    }),
  });
}

/** Renders without child processes, so that tests can delay and break the renderer. */
export const inProcess = (build: LoadedBuild): Renderer => ({
  ...build,
  writePages: (pages) => writePages(build.render, pages),
  endWriting: async () => undefined,
});

/**
 * Adds a social card to each post without a cover. The card module records cards and waits between
 * `hold` and `letGo`. Until `fix` is called, it throws for titles with "undrawable" and exits for
 * titles with "deadly".
 */
export function withCards(renderer: Renderer, folder: string) {
  const cardModule = join(folder, 'card-module.mjs');
  const [held, fixed, notes] = ['held', 'fixed', 'drawn'].map((name) => join(folder, name));
  writeFileSync(
    cardModule,
    `import { appendFileSync, existsSync } from 'node:fs';
    import { setTimeout } from 'node:timers/promises';
    export async function drawCard(title) {
      while (existsSync(${JSON.stringify(held)})) await setTimeout(5);
      if (title.includes('undrawable') && !existsSync(${JSON.stringify(fixed)})) throw new Error('a bad title');
      if (title.includes('deadly') && !existsSync(${JSON.stringify(fixed)})) process.exit(1);
      appendFileSync(${JSON.stringify(notes)}, title + '\\n');
      return Buffer.from('card of ' + title);
    }`,
  );
  return {
    renderer: inProcess({
      ...renderer,
      cardModule,
      async render(path: string, page: PageData) {
        const { bytes } = await renderer.render(path, page);
        const hasCard = page.kind === 'post' && page.post.coverImage === null;
        return { bytes, card: hasCard ? cardFor(page.post.title, path) : null };
      },
    }),
    hold: () => writeFileSync(held ?? '', ''),
    letGo: () => rmSync(held ?? '', { force: true }),
    fix: () => writeFileSync(fixed ?? '', ''),
    /** The titles of the cards, in order. */
    drawn: () =>
      existsSync(notes ?? '')
        ? readFileSync(notes ?? '', 'utf8')
            .trim()
            .split('\n')
        : [],
  };
}

export const cardFor = (title: string, path: string): Card => ({
  path: `${cardFolderOf(path)}/${createHash('sha256').update(title).digest('hex').slice(0, 24)}.png`,
  title,
});
