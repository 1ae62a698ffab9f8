import * as v from 'valibot';
import { editConflict } from './edit-conflict.ts';
import { named } from './named.ts';

/**
 * Error codes (RFC 9457). `code` is for programs, `title` and `detail` are for people. `notice` is
 * the id of the element that the form's page shows without JavaScript; the default is `failed`.
 */
export const problems = {
  malformed_body: { status: 400, title: 'Malformed request body' },
  invalid_idempotency_key: { status: 400, title: 'Invalid idempotency key' },
  invalid_cursor: { status: 400, title: 'Invalid cursor' },
  not_signed_in: { status: 401, title: 'Not signed in' },
  invalid_credentials: { status: 401, title: 'Sign-in failed', notice: 'invalid-credentials' },
  forbidden_origin: { status: 403, title: 'Cross-origin request refused' },
  sign_in_again: { status: 403, title: "Please confirm it's you", notice: 'again' },
  quota_exceeded: { status: 403, title: 'Quota exceeded' },
  name_required: { status: 403, title: 'Name required' },
  not_allowed: { status: 403, title: 'Not allowed' },
  email_not_confirmed: { status: 403, title: 'Email not confirmed', notice: 'not-confirmed' },
  other_account: { status: 403, title: 'Signed in to another account' },
  not_found: { status: 404, title: 'Not found' },
  request_timeout: { status: 408, title: 'Request timed out' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  slug_taken: { status: 409, title: 'Slug already in use' },
  edit_conflict: { status: 409, title: 'The same text was changed by another save' },
  picture_in_use: { status: 409, title: 'Picture in use' },
  draft_changed: { status: 409, title: 'Newer unsaved text' },
  username_taken: { status: 409, title: 'Username already in use', notice: 'username-taken' },
  already_subscribed: { status: 409, title: 'Already subscribed', notice: 'already-subscribed' },
  dead_link: { status: 410, title: 'Link expired or already used', notice: 'dead-link' },
  body_too_large: { status: 413, title: 'Request body too large', notice: 'too-large' },
  unsupported_media_type: { status: 415, title: 'Unsupported content type' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key already used' },
  invalid_input: { status: 422, title: 'Some fields need your attention', notice: 'invalid' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  not_configured: { status: 501, title: 'Not configured' },
  busy: { status: 503, title: 'Server busy' },
} as const satisfies Record<string, { status: number; title: string; notice?: string }>;

export type ProblemCode = keyof typeof problems;

const inputIssue = named(
  'InputIssue',
  v.strictObject({
    path: v.pipe(
      v.string(),
      v.description('The name of the field, dotted if nested; empty for the whole body.'),
    ),
    message: v.string(),
  }),
);
export type InputIssue = v.InferOutput<typeof inputIssue>;

/** The body of every failed request (RFC 9457 §3, with extension members). */
export const problem = named(
  'Problem',
  v.strictObject({
    type: v.pipe(v.string(), v.description('URL path of the page that explains the code.')),
    title: v.string(),
    status: v.number(),
    detail: v.pipe(v.string(), v.description('What went wrong this time, for people.')),
    code: v.picklist(Object.keys(problems) as ProblemCode[]),
    requestId: v.pipe(v.string(), v.description('Also in the X-Request-Id header and in the log.')),
    issues: v.exactOptional(v.array(inputIssue)),
    conflict: v.exactOptional(editConflict),
  }),
);
export type Problem = v.InferOutput<typeof problem>;
