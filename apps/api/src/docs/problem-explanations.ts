import type { ProblemCode } from '@app/contract/problems';

export const problemExplanations: Readonly<Record<ProblemCode, string>> = {
  malformed_body:
    'The body does not match its Content-Type, ended early, or has too many values. Send one flat JSON object.',
  invalid_idempotency_key: 'The Idempotency-Key header is not a UUID. Create one per submission.',
  invalid_cursor: 'The cursor is not one that this API returned. Start without a cursor.',
  not_signed_in: 'The request has no session, or the session has ended. Sign in, then try again.',
  invalid_credentials: 'The email address or the password is wrong.',
  forbidden_origin:
    'Changes must come from the site itself: the Origin header is missing or names another site.',
  sign_in_again:
    'This change requires a sign-in within the last ten minutes. Confirm the session with POST /api/auth/sign-in-again, then try again.',
  quota_exceeded: 'The account has reached its limit of posts or of text. Delete some.',
  name_required:
    'The account has neither a full name nor a username, which readers would see. Nothing was changed. Set one with PATCH /api/profile, then publish or schedule the post.',
  not_allowed: 'The session, or the signature, does not permit this request.',
  email_not_confirmed:
    'The account exists, but its email address is not confirmed. Open the link in the email, or request a new one.',
  not_found: 'There is nothing at this URL, or the session may not see it.',
  request_timeout: 'The body arrived too slowly. Send it again.',
  method_not_allowed: 'This URL accepts other methods only; the Allow header lists them.',
  slug_taken: 'Another post uses this slug. Choose a different one.',
  edit_conflict:
    'The post was saved since the baseVersion, and both saves change the same lines or the same field. Nothing was changed; `conflict` has both texts. Choose one, then save it with the version in `conflict` as the baseVersion.',
  picture_in_use:
    'A post, one of its versions, or unsaved text uses the picture. Remove it there first; versions are deleted as they get older, unless they have a name.',
  draft_changed:
    'The unsaved text was stored again, by another tab or device, since `previous`. Get it before replacing it.',
  other_account:
    'The signed-in user is not the one who typed the text (`account`). Nothing was stored. Sign in to that account.',
  username_taken:
    'Another user has this username, or one that looks like it. Choose a different one.',
  already_subscribed:
    'The address is already subscribed to the newsletter. There is nothing to do.',
  dead_link:
    'The token of an email has expired, was used before, or was replaced by a newer one. Request a new email.',
  body_too_large: 'The body is larger than this endpoint accepts; the detail names the limit.',
  unsupported_media_type:
    'Send the Content-Type that the endpoint documents, usually application/json.',
  idempotency_key_reused:
    'This Idempotency-Key was used for other content before. Use a new key for new content.',
  invalid_input:
    'At least one field is missing, unknown or not acceptable. The issues list the fields with a message each.',
  too_many_requests: 'A rate limit was reached. Wait for the number of seconds in Retry-After.',
  internal: 'A bug or an outage. The log has the details under the requestId. Try again later.',
  not_configured: 'The operator has not set up this part of the site.',
  busy: 'Nothing can be saved right now, or too many requests are in progress. Retry-After says when to try again.',
};
