import { Resend } from 'resend';
import { type MailTransport, messageIdOf, reasonOf } from './transport.ts';

/** What no retry mends: the request itself is wrong. A bad key (401, 403) can be mended meanwhile. */
const refusingStatuses = [400, 404, 413, 422];

const timeoutMilliseconds = 30_000;

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
        const { data, error } = await resend.emails.send(
          {
            from,
            to: mail.to,
            subject: mail.subject,
            text: mail.text,
            html: mail.html,
            headers: { 'Message-ID': messageIdOf(mail, from) },
            ...(mail.replyTo !== null && { replyTo: mail.replyTo }),
          },
          { idempotencyKey: mail.id, signal: AbortSignal.timeout(timeoutMilliseconds) },
        );
        if (data) return { outcome: 'sent', details: { providerId: data.id } };
        const reason = `${error.statusCode ?? 'no answer'}: ${error.message}`;
        const isRefused = refusingStatuses.includes(error.statusCode ?? 0);
        return { outcome: isRefused ? 'refused' : 'failed', reason };
      } catch (error) {
        return { outcome: 'failed', reason: reasonOf(error) };
      }
    },
  };
}
