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
  title: 200,
  slug: 100,
  excerpt: 500,
  content: 200_000,
  url: 2_048,
  /** Where an excerpt that nobody wrote is cut (spec §9). */
  autoExcerpt: 150,
  /** A JSON or form body, in bytes. */
  bodyBytes: 1_048_576,
} as const;
