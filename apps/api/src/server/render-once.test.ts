import type { PageData } from '@app/contract/pages';
import { expect, test } from 'vitest';
import { renderOnce } from './render-once.ts';

const missing = { kind: 'noPost', reason: 'not-found' } satisfies PageData;

function makeRenderer(isBroken: () => boolean = () => false) {
  const rendered: string[] = [];
  const { render } = renderOnce(
    {
      async render(path) {
        rendered.push(path);
        if (isBroken()) throw new Error('broken');
        return { bytes: Buffer.from(path), card: null };
      },
    },
    (page) => (page.kind === 'noPost' ? page.reason : undefined),
  );
  return { render, rendered };
}

test('renders pages with the same key once, even for concurrent requests', async () => {
  const { render, rendered } = makeRenderer();
  await Promise.all(['/blog/a', '/blog/b', '/blog/c'].map((path) => render(path, missing)));
  await render('/blog/d', missing);
  await render('/blog/draft/e', { kind: 'noPost', reason: 'dead-link' });
  expect(rendered).toEqual(['/blog/a', '/blog/draft/e']);
});

test('renders a page again after a failure', async () => {
  let isBroken = true;
  const { render, rendered } = makeRenderer(() => isBroken);
  await expect(render('/blog/a', missing)).rejects.toThrow('broken');
  isBroken = false;
  await render('/blog/b', missing);
  await render('/blog/c', missing);
  expect(rendered).toEqual(['/blog/a', '/blog/b']);
});

test('renders all other pages each time', async () => {
  const { render, rendered } = makeRenderer();
  const page: PageData = { kind: 'moved', to: 'b' };
  await render('/blog/a', page);
  await render('/blog/a', page);
  expect(rendered).toEqual(['/blog/a', '/blog/a']);
});
