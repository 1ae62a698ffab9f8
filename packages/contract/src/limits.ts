/** Bounds of everything a person can send, in characters (UTF-16 code units) unless said otherwise. */
export const limits = {
  /** RFC 5321 §4.5.3.1.3: a forward-path is at most 256 octets with its angle brackets. */
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
  /** Of a post's content: how deep lists and quotes are nested in each other. */
  contentNesting: 20,
  /** How many brackets of one paragraph may be open at the same time. */
  contentBrackets: 50,
  /** How many emphasis marks, runs of * and _, one paragraph may have. */
  contentEmphasis: 2_000,
  /** Of one table. */
  tableColumns: 50,
  tableRows: 1_000,
  /** Of all tables of a post, the cells included that short rows are filled up with. */
  tableCells: 10_000,
  links: 1_000,
  images: 200,
  /** How often one character may be repeated in a row. */
  repeatedCharacter: 1_000,
  /** How many combining marks one character may carry: scripts in use need fewer than ten. */
  combiningMarks: 16,
  /** A post's content as HTML. */
  contentHtml: 800_000,
  /** The bodies in the feed together, as HTML; older posts come with their excerpts only. */
  feedHtml: 400_000,
  url: 2_048,
  /** Where an excerpt that nobody wrote is cut (spec §9). */
  autoExcerpt: 150,
  /** A JSON or form body, in bytes. */
  bodyBytes: 65_536,
  /** The same with a post in it. */
  postBodyBytes: 1_048_576,
  /** A picture that somebody sends as their avatar, in bytes, and its area. */
  avatarBytes: 5_242_880,
  avatarPixels: 25_000_000,
  /** How long ago somebody may have signed in for the changes that ask for it, in milliseconds. */
  recentSignIn: 600_000,
} as const;
