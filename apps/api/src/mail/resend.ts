import * as v from 'valibot';
import {
  excerpt,
  type MailTransport,
  messageIdOf,
  reasonOf,
  type SendResult,
} from './transport.ts';

/**
 * What no retry mends: this very mail is wrong (400, 413, 422) or not wanted (451). All else an
 * operator can mend within the days that a mail is tried: a bad key (401, 403), an address of
 * the service that is none (404, 405).
 */
const refusingStatuses = [400, 413, 422, 451];

/**
 * Errors that count other than their status says (resend.com/docs/api-reference/errors).
 *
 * `invalid_idempotent_request`: a mail was taken under this id, and it was not the same to the
 * letter, because the sender's address or the program changed between two attempts. So it has
 * most likely gone out; without the key it would go out twice. A person has to look.
 */
const outcomes: Readonly<Record<string, 'failed' | 'refused'>> = {
  invalid_from_address: 'failed',
  invalid_idempotent_request: 'refused',
};

const timeoutMilliseconds = 30_000;

/** How long a rest is when Resend does not say it, or says none at all. */
const usualRest = 60_000;

/** Resend's replies are a line. Of anything longer, such as a proxy's page, the start will do. */
const maxReplyBytes = 65_536;

const takenReply = v.object({ id: v.pipe(v.string(), v.nonEmpty()) });
const errorReply = v.object({ name: v.string(), message: v.string() });

/**
 * Sends through Resend's API (resend.com/docs/api-reference/emails/send-email), with the mail's
 * id as its Idempotency-Key. Only a 2xx reply with an id counts as sent. A redirect is a failure:
 * whoever it leads to would be handed the key, and its reply would say nothing about the mail.
 */
export function resendTransport(
  apiKey: string,
  from: string,
  baseUrl = 'https://api.resend.com',
): MailTransport {
  const url = `${baseUrl.replace(/\/$/, '')}/emails`;
  return {
    async send(mail) {
      try {
        const response = await fetch(url, {
          method: 'POST',
          redirect: 'manual',
          signal: AbortSignal.timeout(timeoutMilliseconds),
          headers: {
            Authorization: `Bearer ${apiKey}`,
            'Content-Type': 'application/json',
            'Idempotency-Key': mail.id,
          },
          body: JSON.stringify({
            from,
            to: mail.to,
            subject: mail.subject,
            text: mail.text,
            html: mail.html,
            headers: { ...mail.headers, 'Message-ID': messageIdOf(mail, from) },
            ...(mail.replyTo !== null && { reply_to: mail.replyTo }),
          }),
        });
        return resultOf(response, await readStart(response));
      } catch (error) {
        return { outcome: 'failed', reason: `no answer: ${reasonOf(error)}` };
      }
    },
  };
}

function resultOf({ ok, status, headers }: Response, text: string): SendResult {
  const reply = parseJson(text);
  const taken = v.safeParse(takenReply, reply);
  if (ok && taken.success) return { outcome: 'sent', details: { providerId: taken.output.id } };

  const error = v.safeParse(errorReply, reply);
  const reason = `${status}: ${excerpt(error.success ? error.output.message : text)}`;
  // The limit is the account's: no other mail would be taken either.
  if (status === 429) return { outcome: 'held', reason, retryAfter: restOf(headers) };
  const known = error.success ? outcomes[error.output.name] : undefined;
  return { outcome: known ?? (refusingStatuses.includes(status) ? 'refused' : 'failed'), reason };
}

/** Retry-After in milliseconds: whole seconds, as Resend sends it (RFC 9110 §10.2.3). */
function restOf(headers: Headers): number {
  const retryAfter = headers.get('Retry-After') ?? '';
  return (/^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : 0) || usualRest;
}

async function readStart({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels what is yet to come.
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxReplyBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxReplyBytes).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
