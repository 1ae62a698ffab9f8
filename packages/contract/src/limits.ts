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
  /** Of a career inquiry (spec §9). */
  inquiryNameMin: 2,
  inquiryMessageMin: 10,
  /** Of a profile (spec §9). */
  usernameMin: 3,
  username: 30,
  fullNameMin: 2,
  title: 200,
  slug: 100,
  excerpt: 500,
  tag: 40,
  /** Of a post. */
  tags: 10,
  /** Typed, with commas. */
  tagsText: 500,
  content: 200_000,
  /** The name of a revision. */
  revisionName: 100,
  /** Of one post. */
  namedRevisions: 50,
  /** How long a deleted post can be restored. */
  trashDays: 30,
  /** How far ahead a post can be scheduled. */
  scheduleDays: 366,
  /** Of one draft. */
  draftLinks: 20,
  /** Levels of lists and quotes. */
  contentNesting: 20,
  /** Open brackets in a paragraph. */
  contentBrackets: 50,
  /** Runs of *, _ and ~ in a paragraph. */
  contentEmphasis: 2_000,
  /** Of one table. */
  tableColumns: 50,
  tableRows: 1_000,
  /** Of all tables in a post, including cells that complete short rows. */
  tableCells: 10_000,
  links: 1_000,
  images: 200,
  /** The description of a picture. */
  pictureAlt: 500,
  /** Of a search for pictures. */
  pictureSearch: 100,
  /** In a row. */
  repeatedCharacter: 1_000,
  /** Per character. Scripts in use need fewer than ten. */
  combiningMarks: 16,
  /** All code in a post that is colored, in characters. The rest has the color of the text. */
  highlightedCode: 10_000,
  /** Posts on /blog, on a tag's page, in the feeds and in llms.txt. Older ones are in the archive. */
  latestPosts: 12,
  /** A post as HTML, with its table of contents. */
  contentHtml: 800_000,
  /** All bodies in the feed, as HTML. Older posts only have excerpts. */
  feedHtml: 400_000,
  /** Of a search. */
  searchQuery: 100,
  searchWords: 6,
  /** Posts. */
  searchResults: 20,
  url: 2_048,
  /** The default excerpt (spec §9). */
  autoExcerpt: 150,
  /** JSON or form, in bytes. */
  bodyBytes: 65_536,
  /** JSON or form with a post, in bytes. A form sends up to nine bytes per character. */
  postBodyBytes: 2_097_152,
  /** In bytes. */
  imageBytes: 5_242_880,
  imagePixels: 25_000_000,
  /** In milliseconds. */
  recentSignIn: 600_000,
} as const;
