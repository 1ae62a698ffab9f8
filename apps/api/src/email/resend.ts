import { type ErrorResponse, Resend, type Response as ResendResponse } from 'resend';
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
const longestRest = 24 * 60 * 60 * 1_000;

/** Resend's replies are a line. Of anything longer, such as a proxy's page, the start will do. */
const maxReplyBytes = 65_536;

const sentReply = v.object({ id: v.pipe(v.string(), v.nonEmpty()) });
const errorReply = v.object({ name: v.string(), message: v.string() });

/**
 * Resend's client with a strict reading of replies. Its own takes a 2xx reply without an id, or
 * the page that a redirect leads to, for a sent email; it drops the status and text of replies
 * that are not JSON, and the cause of a failed connection; and it reads a reply to its end.
 */
class StrictResend extends Resend {
  override async fetchRequest<T>(path: string, options: RequestInit): Promise<ResendResponse<T>> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      ...options,
      // Another server would receive the API key.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    const { ok, status } = response;
    const headers = Object.fromEntries(response.headers);
    const text = await readStart(response);
    const reply = parseJson(text);
    if (ok && v.is(sentReply, reply)) return { data: reply as T, error: null, headers };
    const error = v.is(errorReply, reply) ? reply : { name: 'application_error', message: text };
    return { data: null, error: { ...error, statusCode: status } as ErrorResponse, headers };
  }
}

/**
 * Sends through Resend (resend.com/docs/api-reference/emails/send-email), with the email's id as
 * its Idempotency-Key. Only a 2xx reply with an id counts as sent.
 */
export function resendTransport(
  apiKey: string,
  from: string,
  baseUrl = 'https://api.resend.com',
): MailTransport {
  const resend = new StrictResend(apiKey, { baseUrl: baseUrl.replace(/\/$/, '') });
  return {
    async send(mail) {
      try {
        const { id: idempotencyKey, to, subject, text, html, replyTo } = mail;
        const headers = { ...mail.headers, 'Message-ID': messageIdOf(mail, from) };
        const content = { from, to, subject, text, html, headers };
        return resultOf(
          await resend.emails.send(replyTo === null ? content : { ...content, replyTo }, {
            idempotencyKey,
          }),
        );
      } catch (error) {
        return { outcome: 'failed', reason: `no answer: ${reasonOf(error)}` };
      }
    },
  };
}

function resultOf({ data, error, headers }: ResendResponse<{ id: string }>): SendResult {
  if (data) return { outcome: 'sent', details: { providerId: data.id } };
  const { name, message, statusCode } = error;
  const reason = `${statusCode}: ${excerpt(message)}`;
  // The limit is the account's: no other mail would be taken either.
  if (statusCode === 429) {
    return { outcome: 'held', reason, retryAfter: restOf(headers?.['retry-after']) };
  }
  const isRefused = statusCode !== null && refusingStatuses.includes(statusCode);
  return { outcome: outcomes[name] ?? (isRefused ? 'refused' : 'failed'), reason };
}

/** Retry-After in milliseconds: whole seconds, as Resend sends it (RFC 9110 §10.2.3). */
function restOf(retryAfter = ''): number {
  const rest = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : 0;
  return Math.min(rest || usualRest, longestRest);
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
