import type { SearchResults } from '@app/contract/blog/search';
import { limits } from '@app/contract/limits';
import { searchTexts } from '@app/site/blog/search';

/** How many posts were found, in words. */
export const statusOf = ({ results, corrected }: SearchResults): string => {
  const found = searchTexts.found(results.length, limits.searchResults);
  return corrected === null ? found : `${searchTexts.corrected(corrected)} ${found}`;
};
