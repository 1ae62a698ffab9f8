/** Limits of input, in characters (UTF-16 code units) unless noted. */
export const limits = {
  /** RFC 5321 §4.5.3.1.3. */
  email: 254,
  passwordMin: 6,
  passwordMax: 256,
  name: 100,
  phone: 32,
  company: 120,
  message: 5_000,
  // Career inquiries (spec §9).
  inquiryNameMin: 2,
  inquiryMessageMin: 10,
  // Profiles (spec §9).
  usernameMin: 3,
  username: 30,
  fullNameMin: 2,
  title: 200,
  slug: 100,
  excerpt: 500,
  tag: 40,
  /** Tags per post. */
  tags: 10,
  /** All tags of a post as typed, with commas. */
  tagsText: 500,
  content: 200_000,
  revisionName: 100,
  /** Per post. */
  namedRevisions: 50,
  /** How long a deleted post can be restored. */
  trashDays: 30,
  /** How far ahead a post can be scheduled. */
  scheduleDays: 366,
  /** Per draft. */
  draftLinks: 20,
  /** Levels of lists and quotes. */
  contentNesting: 20,
  /** Open brackets per paragraph. */
  contentBrackets: 50,
  /** Runs of *, _ and ~ per paragraph. */
  contentEmphasis: 2_000,
  /** Per table. */
  tableColumns: 50,
  tableRows: 1_000,
  /** In all tables of a post, including cells that fill up short rows. */
  tableCells: 10_000,
  links: 1_000,
  images: 200,
  pictureAlt: 500,
  pictureSearch: 100,
  /** In a row. */
  repeatedCharacter: 1_000,
  /** Per character. Scripts in use need fewer than ten. */
  combiningMarks: 16,
  /** Characters of code per post that get syntax highlighting. The rest has none. */
  highlightedCode: 10_000,
  /** Posts on /blog, on tag pages, in the feeds and in llms.txt. Older ones are in the archive. */
  latestPosts: 12,
  /** The HTML of a post, including its table of contents. */
  contentHtml: 800_000,
  /** The HTML of all bodies in a feed. Older posts beyond it have only excerpts. */
  feedHtml: 400_000,
  // Searches.
  searchQuery: 100,
  searchWords: 6,
  searchResults: 20,
  url: 2_048,
  /** The default excerpt (spec §9). */
  autoExcerpt: 150,
  /** Body of a JSON or form request, in bytes. */
  bodyBytes: 65_536,
  /** The same for requests with a post. JSON needs up to six bytes per character. */
  postBodyBytes: 2_097_152,
  /** In bytes. */
  imageBytes: 5_242_880,
  imagePixels: 25_000_000,
  /** In milliseconds. */
  recentSignIn: 600_000,
} as const;
