import * as v from 'valibot';
import { limits } from '../limits.ts';
import { named } from '../named.ts';

const part = named('SearchTextPart', v.strictObject({ text: v.string(), isMatch: v.boolean() }));
export type SearchTextPart = v.InferOutput<typeof part>;

const searchResult = named(
  'SearchResult',
  v.strictObject({
    slug: v.string(),
    title: v.array(part),
    snippet: v.pipe(v.array(part), v.description('From the body.')),
    createdAt: v.pipe(v.string(), v.isoTimestamp()),
  }),
);
export type SearchResult = v.InferOutput<typeof searchResult>;

export const searchResults = v.strictObject({
  results: v.pipe(
    v.array(searchResult),
    v.description(`At most ${limits.searchResults}, best first.`),
  ),
  corrected: v.pipe(
    v.nullable(v.string()),
    v.description('What was searched instead, because nothing matches the words as typed.'),
  ),
});
export type SearchResults = v.InferOutput<typeof searchResults>;
