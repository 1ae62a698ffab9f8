/**
 * Every way a call can fail. `code` is what programs act on, `title` and
 * `detail` are for people; the wire format is RFC 9457 (application/problem+json).
 */
export const problems = {
  malformed_body: { status: 400, title: 'The body cannot be read' },
  invalid_idempotency_key: { status: 400, title: 'The idempotency key is not a UUID' },
  invalid_cursor: { status: 400, title: 'The cursor is not one of ours' },
  not_signed_in: { status: 401, title: 'You are not signed in' },
  invalid_credentials: { status: 401, title: 'Sign-in failed' },
  forbidden_origin: { status: 403, title: 'The request comes from another site' },
  sign_in_again: { status: 403, title: 'Please confirm that it is you' },
  quota_exceeded: { status: 403, title: 'The account has no room left' },
  not_allowed: { status: 403, title: 'You may not do this' },
  email_not_confirmed: { status: 403, title: 'Email not confirmed' },
  not_found: { status: 404, title: 'There is nothing here' },
  request_timeout: { status: 408, title: 'The request took too long' },
  method_not_allowed: { status: 405, title: 'The method does not fit this address' },
  slug_taken: { status: 409, title: 'The slug is taken' },
  username_taken: { status: 409, title: 'The username is taken' },
  already_subscribed: { status: 409, title: 'Already subscribed' },
  dead_link: { status: 410, title: 'The link no longer works' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not taken here' },
  idempotency_key_reused: { status: 422, title: 'The key was used for something else' },
  invalid_input: { status: 422, title: 'Some fields need your attention' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  not_configured: { status: 501, title: 'The site is not set up for this' },
  busy: { status: 503, title: 'Too busy just now' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

/** One thing wrong with the input. `path` is the field's name, dotted when nested; empty for the whole body. */
export interface InputIssue {
  path: string;
  message: string;
}

/** The body of every failed call (RFC 9457 §3, with three extension members). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  requestId: string;
  issues?: InputIssue[];
}
