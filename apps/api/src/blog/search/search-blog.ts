import type { Post } from '@app/contract/blog/posts';
import type { SearchResult, SearchResults } from '@app/contract/blog/search';
import type { Deps } from '../deps.ts';
import { createSamples } from '../posts/samples.ts';
import { lettersApart } from './letters-apart.ts';
import { createSearch } from './search.ts';
import { markMatches, snippetOf } from './search-snippet.ts';
import { fold, patternOf, patternsOf, wordsOf } from './search-words.ts';

/** Searches published posts or, until there are any, the sample posts, which have no index. */
export function createBlogSearch({
  db,
  renderer,
  bodies,
}: Pick<Deps, 'db' | 'renderer' | 'bodies'>) {
  const searchPosts = createSearch(db);
  const samples = createSamples(db, renderer);

  /** Undefined if a word does not occur in the sample. */
  async function match(sample: Post, words: string[]): Promise<SearchResult | undefined> {
    const body = await bodies.renderFixed(sample.content);
    if ('problem' in body) return undefined;
    const title = lettersApart(sample.title);
    const searched = fold([title, lettersApart(sample.excerpt), body.text].join('\n'));
    if (patternsOf(words).some((pattern) => searched.search(pattern) < 0)) return undefined;
    const { slug, createdAt } = sample;
    const pattern = patternOf(words);
    return {
      slug,
      title: markMatches(title, pattern),
      snippet: snippetOf(body.text, pattern),
      createdAt,
    };
  }

  return async (query: string): Promise<SearchResults> => {
    const ofBlog = samples.list();
    if (!ofBlog) return searchPosts(query);
    const words = wordsOf(query);
    if (words.length === 0) return { results: [], corrected: null };
    const matches = await Promise.all(ofBlog.map((sample) => match(sample, words)));
    return { results: matches.filter((result) => result !== undefined), corrected: null };
  };
}
