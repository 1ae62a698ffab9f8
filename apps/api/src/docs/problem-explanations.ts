import type { ProblemCode } from '@app/contract/problems';

/** What each code means and what to do, for people who call the API. */
export const problemExplanations: Readonly<Record<ProblemCode, string>> = {
  malformed_body:
    'The body is not what its Content-Type says, ended early, or holds too many values. Send one flat JSON object.',
  invalid_idempotency_key: 'The Idempotency-Key header is not a UUID. Create one per submission.',
  invalid_cursor: 'The cursor is not one that this API returned. Start without a cursor.',
  not_signed_in: 'The request has no session, or the session has ended. Sign in, then try again.',
  invalid_credentials: 'The email address or the password is wrong.',
  forbidden_origin:
    'A change has to come from the site itself: the Origin header is missing or names another site.',
  sign_in_again:
    'This change requires a sign-in within the last ten minutes. Confirm the session with POST /api/auth/sign-in-again, then try again.',
  quota_exceeded: 'The account has as many posts, or as much text, as it may have. Delete some.',
  not_allowed: 'The session, or the signature, does not permit this request.',
  email_not_confirmed:
    'The account exists, but its email address is not confirmed. Open the link in the email, or request a new one.',
  not_found: 'Nothing is at this URL, or the session may not see it.',
  request_timeout: 'The body arrived too slowly. Send it again.',
  method_not_allowed: 'This URL accepts other methods only; the Allow header lists them.',
  slug_taken: 'Another post uses this slug. Choose a different one.',
  edit_conflict:
    'The post was saved since the baseVersion, and both saves change the same lines or the same field. Nothing was changed; `conflict` has both texts. Choose, then save with its version as the baseVersion.',
  picture_in_use:
    'A post, one of its versions, or unsaved text uses the picture. Remove it there first; versions are deleted as they get older, unless they have a name.',
  draft_changed:
    'The unsaved text was stored again, by another tab or device, since `previous`. Get it before replacing it.',
  other_account:
    'Another user is signed in than the one who typed the text (`account`). Nothing was stored. Sign in to that account.',
  username_taken:
    'Another user has this username, or one that looks like it. Choose a different one.',
  already_subscribed: 'The address is on the newsletter’s list already. Nothing has to be done.',
  dead_link:
    'The token of an email has expired, was used before, or was replaced by a newer one. Request a new email.',
  body_too_large: 'The body is larger than this endpoint accepts; the detail names the limit.',
  unsupported_media_type:
    'Send the Content-Type that the endpoint documents, usually application/json.',
  idempotency_key_reused:
    'Something else was sent with this Idempotency-Key before. Use a new key for new content.',
  invalid_input:
    'At least one field is missing, unknown or not acceptable. The issues list the fields with a message each.',
  too_many_requests: 'A rate limit is used up. Wait for as many seconds as Retry-After says.',
  internal: 'A bug or an outage. The log has the details under the requestId. Try again later.',
  not_configured: 'The operator has not set this part of the site up.',
  busy: 'Nothing can be saved right now, or too much is being done at once. Retry-After says when to try again.',
};
