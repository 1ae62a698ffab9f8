import type { SearchResults } from '@app/contract/blog/search';
import { limits } from '@app/contract/limits';
import { searchTexts } from '@app/site/blog/search';

const minLength = 2;

export const searchStatus = (query: string, { results, corrected }: SearchResults): string => {
  const length = query.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (results.length === 0 && length < minLength) return searchTexts.tooShort;
  const found = searchTexts.found(results.length, limits.searchResults);
  return corrected === null ? found : `${searchTexts.corrected(corrected)} ${found}`;
};
