import type { PostSaved } from '@app/contract/blog/posts';
import { isSlug } from '@app/contract/blog/posts';
import { describe, expect, it, test } from 'vitest';
import { makeTestApp, signedInBrowser } from '../../testing/test-app.ts';
import { slugForTitle } from './slug-for-title.ts';

const now = Date.UTC(2026, 2, 1, 14, 30, 15);

describe('the slug of a title', () => {
  it.each([
    ['كيف تختار سباكًا', /^kyf-tkhtr-sbk$/],
    ['水道', /^shuidao$/i],
    ['Сантехник', /^santekhnik$/],
    ['🎉🔧', /^tadawrench$/],
    ['!!!', /^post-2026-03-01-14-30-15$/],
    ['\u202e\u0301', /^post-2026-03-01-14-30-15$/],
    // The slug would be "index", a path that the site itself uses.
    ['índex'.normalize('NFD'), /^post-2026-03-01-14-30-15$/],
  ])('%j is usable', async (title, expected) => {
    const slug = await slugForTitle(title, now);
    expect(slug).toMatch(expected);
    expect(isSlug(slug)).toBe(true);
  });

  it('is never longer than the limit', async () => {
    for (const character of ['水', '👩‍🔧', '𒀀', 'ﷺ']) {
      expect(isSlug(await slugForTitle(character.repeat(200), now))).toBe(true);
    }
  });
});

test('a post with an Arabic title is saved and can be read at its slug', async () => {
  await using testApp = await makeTestApp({ publishes: true });
  const ann = await signedInBrowser(testApp);
  const response = await ann.post('/api/posts', { title: 'سباكة', content: 'نص', published: true });
  expect(response.status).toBe(201);
  const { post } = (await response.json()) as PostSaved;
  expect(post).toMatchObject({ slug: 'sbkh', title: 'سباكة' });
  expect((await testApp.browser().get('/api/posts/sbkh')).status).toBe(200);

  const again = await ann.post('/api/posts', { title: 'سباكة', content: 'نص' });
  expect(again.status).toBe(409);
});
