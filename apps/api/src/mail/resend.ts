import { Resend } from 'resend';
import { type MailTransport, messageIdOf, reasonOf, type SendResult } from './transport.ts';

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

/** How long a rest is when Resend does not say it. */
const usualRest = 60_000;

/** Sends through resend.com, with the mail's id as its Idempotency-Key. */
export function resendTransport(
  apiKey: string,
  from: string,
  baseUrl: string | undefined,
): MailTransport {
  const resend = new Resend(apiKey, baseUrl === undefined ? {} : { baseUrl });
  return {
    async send(mail) {
      try {
        const { data, error, headers } = await resend.emails.send(
          {
            from,
            to: mail.to,
            subject: mail.subject,
            text: mail.text,
            html: mail.html,
            headers: { ...mail.headers, 'Message-ID': messageIdOf(mail, from) },
            ...(mail.replyTo !== null && { replyTo: mail.replyTo }),
          },
          { idempotencyKey: mail.id, signal: AbortSignal.timeout(timeoutMilliseconds) },
        );
        return data
          ? { outcome: 'sent', details: { providerId: data.id } }
          : resultOf(error, headers?.['retry-after']);
      } catch (error) {
        return { outcome: 'failed', reason: reasonOf(error) };
      }
    },
  };
}

interface ResendError {
  name: string;
  message: string;
  /** Null when there was no answer. */
  statusCode: number | null;
}

function resultOf(
  { name, message, statusCode }: ResendError,
  retryAfter: string | undefined,
): SendResult {
  const reason = `${statusCode ?? 'no answer'}: ${message}`;
  // The limit is the account's: no other mail would be taken either.
  if (statusCode === 429) return { outcome: 'held', reason, retryAfter: restOf(retryAfter) };
  const isRefused = refusingStatuses.includes(statusCode ?? 0);
  return { outcome: outcomes[name] ?? (isRefused ? 'refused' : 'failed'), reason };
}

/** Retry-After in milliseconds: whole seconds, as Resend sends it (RFC 9110 §10.2.3). */
const restOf = (retryAfter: string | undefined): number =>
  /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : usualRest;
