import { createHmac, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import type { Suppress } from './suppressions.ts';

/** A report as it came in, with the headers that say who signed it. */
export interface SignedReport {
  /** svix-id */
  id: string;
  /** svix-timestamp: seconds since 1970. */
  timestamp: string;
  /** svix-signature: one or several, each as `v1,` and base64, with spaces between. */
  signatures: string;
  body: Buffer;
}

/** How far the sender's clock may be from ours, in seconds; older reports are somebody's copy. */
const tolerance = 5 * 60;

/**
 * Whether Resend signed the report: HMAC-SHA256 over its id, time and bytes
 * (docs.svix.com, "Verifying Webhooks Manually"). Written out because the libraries
 * for it read the machine's clock.
 * @param secret whsec_ and base64
 * @param now in milliseconds
 */
export function isSigned(
  { id, timestamp, signatures, body }: SignedReport,
  secret: string,
  now: number,
): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now / 1_000 - Number(timestamp)) > tolerance) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((versioned) => {
    const [version, signature = ''] = versioned.split(',');
    const given = Buffer.from(signature, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const recipients = v.array(v.pipe(v.string(), v.nonEmpty()));

/** What we act on (resend.com/docs/webhooks/emails): other events say nothing about an address. */
const events = v.variant('type', [
  v.object({
    type: v.literal('email.bounced'),
    data: v.object({
      to: recipients,
      bounce: v.object({ type: v.string(), subType: v.string(), message: v.string() }),
    }),
  }),
  v.object({ type: v.literal('email.complained'), data: v.object({ to: recipients }) }),
]);

/**
 * Which addresses a report says are lost: those of a bounce for good, or of a complaint.
 * Null for any other event, a bounce that may pass included.
 * @throws when it is no event, or one that misses what it should say
 */
export function readEvent(body: Buffer): Suppress | null {
  const json: unknown = JSON.parse(body.toString());
  const { type } = v.parse(v.object({ type: v.string() }), json);
  if (type !== 'email.bounced' && type !== 'email.complained') return null;
  const event = v.parse(events, json);
  if (event.type === 'email.complained') {
    return { emails: event.data.to, reason: 'complaint', detail: null };
  }
  const { to, bounce } = event.data;
  if (bounce.type !== 'Permanent') return null;
  return { emails: to, reason: 'bounce', detail: `${bounce.subType}: ${bounce.message}` };
}
