/** /blog/search. Separate from the blog's other texts, because its script needs these. */
export const searchTexts = {
  title: 'Search',
  description: 'Search the posts on our blog.',
  link: 'Search all posts',
  label: 'Words in the title or text of a post',
  submit: 'Search',
  hint: 'The last word can be incomplete, and one typo is fine.',
  searching: 'Searching…',
  /** For a query that is too short to have results. */
  tooShort: 'Type at least two letters or digits.',
  /** @param max the maximum number of results */
  found: (posts: number, max: number) => {
    if (posts === 0) return 'No posts found. Try fewer or other words.';
    if (posts === max) return `The ${max} best matches`;
    return posts === 1 ? '1 post found' : `${posts} posts found`;
  },
  corrected: (words: string) => `Nothing matches what you typed. Results for “${words}”:`,
} as const;
