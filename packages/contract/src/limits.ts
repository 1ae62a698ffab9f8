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
  content: 200_000,
  /** Levels of lists and quotes. */
  contentNesting: 20,
  /** Open brackets in a paragraph. */
  contentBrackets: 50,
  /** Runs of * and _ in a paragraph. */
  contentEmphasis: 2_000,
  /** Of one table. */
  tableColumns: 50,
  tableRows: 1_000,
  /** Of all tables in a post, including cells that complete short rows. */
  tableCells: 10_000,
  links: 1_000,
  images: 200,
  /** In a row. */
  repeatedCharacter: 1_000,
  /** Per character. Scripts in use need fewer than ten. */
  combiningMarks: 16,
  /** A post as HTML. */
  contentHtml: 800_000,
  /** All bodies in the feed, as HTML. Older posts only have excerpts. */
  feedHtml: 400_000,
  url: 2_048,
  /** The default excerpt (spec §9). */
  autoExcerpt: 150,
  /** JSON or form, in bytes. */
  bodyBytes: 65_536,
  /** JSON or form with a post, in bytes. */
  postBodyBytes: 1_048_576,
  /** In bytes. */
  avatarBytes: 5_242_880,
  avatarPixels: 25_000_000,
  /** In milliseconds. */
  recentSignIn: 600_000,
} as const;
