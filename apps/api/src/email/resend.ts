import { type ErrorResponse, Resend, type Response as ResendResponse } from 'resend';
import * as v from 'valibot';
import { parseJson } from '../parse-json.ts';
import type { Refusal } from './refusals.ts';
import {
  type EmailTransport,
  excerpt,
  messageIdOf,
  reasonOf,
  type SendResult,
} from './transport.ts';

/**
 * Permanent: the email itself is invalid (400, 413, 422) or unwanted (451). Others, such as a bad
 * key (401, 403), are retried, so that the operator can fix them.
 */
const refusingStatuses = [400, 413, 422, 451];

/**
 * Also permanent: an email with this id but other content was accepted before, for example with
 * another sender. It was most likely sent, so a person must decide.
 */
const refusingNames = ['invalid_idempotent_request'];

const keyProblems = ['missing_api_key', 'restricted_api_key', 'invalid_api_key'];

const timeoutMilliseconds = 30_000;

/** For replies without Retry-After. */
const defaultPause = 60_000;

/** Enough for an error message. */
const maxReplyBytes = 65_536;

const sentReply = v.object({ id: v.pipe(v.string(), v.nonEmpty()) });
const errorReply = v.object({ name: v.string(), message: v.string() });

/**
 * Reads replies strictly. Resend's own client treats a 2xx reply without an id, or the page of a
 * redirect, as sent. It also drops the status and text of replies that are not JSON, and the cause
 * of connection errors.
 */
class StrictResend extends Resend {
  override async fetchRequest<T>(path: string, options: RequestInit): Promise<ResendResponse<T>> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      ...options,
      // Following a redirect would send the API key to another server.
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

/** Sends the email's id as Idempotency-Key (resend.com/docs/api-reference/emails/send-email). */
export function resendTransport(
  apiKey: string,
  from: string,
  baseUrl = 'https://api.resend.com',
): EmailTransport {
  const resend = new StrictResend(apiKey, { baseUrl: baseUrl.replace(/\/$/, '') });
  return {
    async send(email) {
      try {
        const { id: idempotencyKey, to, subject, text, html, replyTo } = email;
        const headers = { ...email.headers, 'Message-ID': messageIdOf(email, from) };
        const content = { from, to, subject, text, html, headers };
        return resultOf(
          await resend.emails.send(replyTo === null ? content : { ...content, replyTo }, {
            idempotencyKey,
          }),
        );
      } catch (error) {
        return { outcome: 'failed', reason: `no response: ${reasonOf(error)}` };
      }
    },
  };
}

function resultOf({ data, error, headers }: ResendResponse<{ id: string }>): SendResult {
  if (data) return { outcome: 'sent', details: { providerId: data.id } };
  const { name, message, statusCode } = error;
  const reason = `${statusCode}: ${excerpt(message)}`;
  // The limit applies to the whole account.
  if (statusCode === 429) {
    return { outcome: 'rate_limited', reason, retryAfter: pauseOf(headers?.['retry-after']) };
  }
  const refuses = refusalOf(name, statusCode);
  if (refuses) return { outcome: 'failed', reason, refuses };
  const isRefused = statusCode !== null && refusingStatuses.includes(statusCode);
  return { outcome: isRefused || refusingNames.includes(name) ? 'refused' : 'failed', reason };
}

/** Refusals that the status alone does not identify (resend.com/docs/api-reference/errors). */
function refusalOf(name: string, statusCode: number | null): Refusal | null {
  if (name === 'invalid_from_address') return 'sender';
  // The domain of the sender is not verified.
  if (name === 'validation_error' && statusCode === 403) return 'sender';
  return keyProblems.includes(name) ? 'login' : null;
}

/** Retry-After in seconds (RFC 9110 §10.2.3), as milliseconds. */
function pauseOf(retryAfter = ''): number {
  const pause = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : 0;
  return pause || defaultPause;
}

async function readStart({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Breaking out of the loop cancels the rest.
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxReplyBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxReplyBytes).toString();
}
