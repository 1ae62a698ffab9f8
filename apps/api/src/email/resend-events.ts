import { Resend } from 'resend';
import * as v from 'valibot';
import type { Suppress } from './suppressions.ts';

/** A report as it arrived. */
export interface SignedReport {
  body: Buffer;
  headers: {
    /** svix-id */
    id: string;
    /** svix-timestamp: seconds since 1970. */
    timestamp: string;
    /** svix-signature: one or several, each as `v1,` and base64, with spaces between. */
    signature: string;
  };
}

// Verifying uses only the webhook's secret. There may be no API key: Resend can be used over SMTP.
const { webhooks } = new Resend('re_unused');

/**
 * The event that Resend signed; null when it did not, or when its time is more than five minutes
 * from now. Several signatures may be given, since a secret is rotated while in use: one is enough.
 * @param webhookSecret whsec_ and base64
 * @throws SyntaxError when what Resend signed is not JSON
 */
export function verifyReport(
  { body, headers }: SignedReport,
  webhookSecret: string,
): { event: unknown } | null {
  try {
    return { event: webhooks.verify({ payload: body.toString(), headers, webhookSecret }) };
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
    return null;
  }
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
export function readEvent(signed: unknown): Suppress | null {
  const { type } = v.parse(v.object({ type: v.string() }), signed);
  if (type !== 'email.bounced' && type !== 'email.complained') return null;
  const event = v.parse(events, signed);
  if (event.type === 'email.complained') {
    return { emails: event.data.to, reason: 'complaint', detail: null };
  }
  const { to, bounce } = event.data;
  if (bounce.type !== 'Permanent') return null;
  return { emails: to, reason: 'bounce', detail: `${bounce.subType}: ${bounce.message}` };
}
