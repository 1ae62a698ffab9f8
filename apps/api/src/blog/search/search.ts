import { setImmediate } from 'node:timers/promises';
import type { SearchResults } from '@app/contract/blog/search';
import { limits } from '@app/contract/limits';
import type { Database } from '@app/db/open';
import { toIso } from '../../clock.ts';
import { lettersApart, lettersTogether } from './letters-apart.ts';
import { markMatches, snippetOf } from './search-snippet.ts';
import { fold, isIncomplete, patternOf, wordsOf } from './search-words.ts';

/** A word in more posts says little about any of them, and counting it would take milliseconds. */
const commonPosts = 500;

/** Numbers of letters. Shorter words have too many neighbors. */
const correctable = { min: 4, max: 16 };

const latin = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Quoted, so that FTS5 sees no syntax: words consist of letters, digits, marks and separators. FTS5
 * folds them itself.
 */
const termsOf = (words: readonly string[]): string[] =>
  words.map((word, index) => `"${word}"${isIncomplete(word, index, words) ? '*' : ''}`);

/**
 * Everything that is one deletion, transposition, replacement or insertion away. Starts after the
 * shared letters: the mistake is most often where no known word continues as typed.
 * @param shared the number of letters with which a known word begins
 */
function neighborsOf(word: string, shared: number): Set<string> {
  const letters = [...new Set(latin + word)];
  const neighbors = new Set<string>();
  for (let at = Math.min(shared, word.length); at >= 0; at -= 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    const rest = after.slice(1);
    if (after) neighbors.add(before + rest);
    if (rest) neighbors.add(before + rest[0] + after[0] + rest.slice(1));
    for (const letter of letters) {
      if (after) neighbors.add(before + letter + rest);
      neighbors.add(before + letter + after);
    }
  }
  return neighbors;
}

interface FoundRow {
  slug: string;
  title: string;
  body: string;
  createdAt: number;
}

/** Searches published posts. Triggers update the index in the transaction of each change. */
export function createSearch({ $client: client }: Database) {
  const countUpTo = client
    .prepare<[string, number], number>(
      'SELECT count(*) FROM (SELECT 1 FROM blog_search WHERE blog_search MATCH ? LIMIT ?)',
    )
    .pluck();
  const withDates = `blog_search
    JOIN blog_search_posts ON blog_search_posts.id = blog_search.rowid
    JOIN blog_posts ON blog_posts.id = blog_search_posts.post_id`;
  // A word in the title counts ten times, in the excerpt twice.
  const bestFirst = `ORDER BY bm25(blog_search, 10.0, 2.0, 1.0), created_at DESC
    LIMIT ${limits.searchResults}`;
  // The plus keeps SQLite from looking up the rows one by one.
  const rank = client
    .prepare<[string, string], number>(
      `SELECT blog_search.rowid FROM ${withDates} WHERE blog_search MATCH ?
        AND +blog_search.rowid IN (SELECT rowid FROM blog_search WHERE blog_search MATCH ?)
      ${bestFirst}`,
    )
    .pluck();
  const rankRare = client
    .prepare<[string], number>(
      `SELECT blog_search.rowid FROM ${withDates} WHERE blog_search MATCH ? ${bestFirst}`,
    )
    .pluck();
  const latest = client
    .prepare<[string], number>(
      `SELECT rowid FROM blog_search WHERE blog_search MATCH ? ORDER BY rowid DESC LIMIT ${limits.searchResults}`,
    )
    .pluck();
  const show = client.prepare<[string], FoundRow>(
    `SELECT slug, blog_posts.title, body, created_at AS createdAt
    FROM json_each(?) AS wanted
    JOIN blog_search ON blog_search.rowid = wanted.value
    JOIN blog_search_posts ON blog_search_posts.id = wanted.value
    JOIN blog_posts ON blog_posts.id = blog_search_posts.post_id
    WHERE published = 1 ORDER BY wanted.key`,
  );
  const existing = client
    .prepare<[string], string>(
      `SELECT value FROM json_each(?) WHERE EXISTS
        (SELECT 1 FROM blog_search_terms WHERE term = value) LIMIT 1`,
    )
    .pluck();
  const anyWithPrefix = client
    .prepare<[string, string], number>(
      'SELECT 1 FROM blog_search_terms WHERE term >= ? AND term < ? LIMIT 1',
    )
    .pluck();

  function rankedIds(terms: readonly string[], counts: readonly number[]): number[] {
    const match = terms.join(' AND ');
    const rare = terms.filter((_, index) => (counts[index] ?? 0) <= commonPosts);
    if (rare.length === terms.length) return rankRare.all(match);
    if (rare.length > 0) return rank.all(rare.join(' AND '), match);
    const ids = [...latest.all(`{title} : (${match})`), ...latest.all(match)];
    return [...new Set(ids)].slice(0, limits.searchResults);
  }

  async function find(
    words: readonly string[],
    counts: readonly number[],
  ): Promise<SearchResults['results']> {
    // Counting a phrase of common letters may have taken up to 25 ms.
    await setImmediate();
    const ids = JSON.stringify(rankedIds(termsOf(words), counts));
    const pattern = patternOf(words);
    const results: SearchResults['results'] = [];
    for (const { slug, title, body, createdAt } of show.all(ids)) {
      // A long text that almost matches everywhere takes up to 20 ms.
      await setImmediate();
      results.push({
        slug,
        title: markMatches(lettersApart(title), pattern),
        snippet: snippetOf(body, pattern),
        createdAt: toIso(createdAt),
      });
    }
    return results;
  }

  const count = (terms: readonly string[]): number[] =>
    terms.map((term) => countUpTo.get(term, commonPosts + 1) ?? 0);

  function correct(word: string): string | undefined {
    if (word.length < correctable.min || word.length > correctable.max) return undefined;
    // The letters before the mistake are the beginning of an existing word.
    let shared = 0;
    while (shared < word.length && hasPrefix(word.slice(0, shared + 1))) shared += 1;
    return existing.get(JSON.stringify([...neighborsOf(word, shared)]));
  }

  const hasPrefix = (prefix: string): boolean =>
    anyWithPrefix.get(prefix, `${prefix}\u{10ffff}`) !== undefined;

  return async (query: string): Promise<SearchResults> => {
    const words = wordsOf(query);
    const nothing = { results: [], corrected: null };
    if (words.length === 0) return nothing;
    const counts = count(termsOf(words));
    const unknown = counts.filter((posts) => posts === 0).length;
    if (unknown === 0) return { results: await find(words, counts), corrected: null };
    if (unknown > 1) return nothing;
    const correction = correct(fold(words[counts.indexOf(0)] ?? ''));
    if (correction === undefined) return nothing;
    const corrected = words.map((word, index) => (counts[index] === 0 ? correction : word));
    const results = await find(corrected, count(termsOf(corrected)));
    return results.length > 0
      ? { results, corrected: lettersTogether(corrected.join(' ')) }
      : nothing;
  };
}
