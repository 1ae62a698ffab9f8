import { Resend } from 'resend';
import * as v from 'valibot';
import type { Suppress } from './suppressions.ts';

export interface SignedReport {
  body: Buffer;
  headers: {
    id: string;
    /** svix-timestamp: seconds since 1970. */
    timestamp: string;
    /** One or more `v1,` plus base64, separated by spaces. */
    signature: string;
  };
}

// Verifying needs no API key, and there may be none: Resend also works over SMTP.
const { webhooks } = new Resend('re_unused');

/**
 * Returns the event if it is signed and at most five minutes old, else null. One valid signature is
 * enough, because secrets are rotated.
 * @param webhookSecret whsec_ and base64
 * @throws SyntaxError if the body is not JSON
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

/** resend.com/docs/webhooks/emails. Other events are ignored. */
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
 * The addresses to suppress after a permanent bounce or a complaint; null for other events.
 * @throws if the event is malformed
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
