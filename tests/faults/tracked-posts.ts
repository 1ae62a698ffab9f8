import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '@app/db/open';
import { editionsIn, type PostState, type TrackedPost } from './authors.ts';

/** Problems if the page of a post is not completely that of an acknowledged or unanswered request. */
export function problemsOfPages(
  { key, acknowledged, attempted, isLive }: TrackedPost,
  site: string,
): string[] {
  const possible = [acknowledged, attempted].filter((state) => state !== null);
  const isLivePossible = possible.some(({ state }) => state === 'published');
  const shown = [...new Set(possible.map(({ slug }) => slug))].flatMap((slug) => {
    const file = join(site, `blog/${slug}.html`);
    return existsSync(file) ? [{ slug, text: readFileSync(file, 'utf8') }] : [];
  });
  const problems: string[] = [];
  for (const { slug, text } of shown) {
    const editions = editionsIn(text).filter((found) => found.key === key);
    // Redirect pages have no text.
    if (editions.length === 0) continue;
    const [edition, ...others] = editions;
    if (others.length > 0 || !edition?.isWhole) {
      problems.push(`/blog/${slug} mixes editions: ${JSON.stringify(editions)}`);
    }
    const isKnown = possible.some(
      (state) =>
        state.slug === slug && state.edition === edition?.edition && state.state === 'published',
    );
    if (!isKnown && isLive) {
      problems.push(
        `/blog/${slug} has edition ${edition?.edition}, acknowledged ${inWords(acknowledged)}, attempted ${inWords(attempted)}`,
      );
    }
  }
  const mustShow = isLive && attempted === null && isLivePossible;
  if (mustShow && shown.length === 0) problems.push(`/blog/${acknowledged?.slug} is missing`);
  return problems;
}

export const inWords = (state: PostState | null): string =>
  state ? `${state.state} ${state.slug} ${state.edition}` : 'nothing';

interface Row {
  id: string;
  slug: string;
  content: string;
  published: number;
  deleted_at: number | null;
}

export function readState(
  db: Database,
  { key }: TrackedPost,
): { id: string; state: PostState } | null {
  const row = db.$client
    .prepare<[string], Row>(
      'SELECT id, slug, content, published, deleted_at FROM blog_posts WHERE excerpt = ?',
    )
    .get(key);
  if (!row) return null;
  const state = row.deleted_at !== null ? 'deleted' : row.published ? 'published' : 'draft';
  const edition = editionsIn(row.content)[0]?.edition ?? 0;
  return { id: row.id, state: { slug: row.slug, edition, state } };
}
