import { lazyTransporter, messageOf } from './mime-message.ts';
import type { Refusal } from './refusals.ts';
import { withoutCredentials } from './smtp-credentials.ts';
import { type EmailTransport, excerpt, reasonOf } from './transport.ts';

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** For the whole email, because a slow server can keep each reply within its own timeout. */
const sendMilliseconds = 50_000;

/** Sent means a 2yz reply to the message and its recipient (RFC 5321 §4.2.1). */
export function smtpTransport(url: string, from: string): EmailTransport {
  const transporter = lazyTransporter({ url, ...timeouts });
  return {
    async send(email) {
      try {
        const message = messageOf(email, from);
        const signal = AbortSignal.timeout(sendMilliseconds);
        const sent = await (await transporter()).sendMail({ ...message, signal });
        const response = excerpt(sent.response ?? '');
        const isAccepted = response.startsWith('2') && (sent.accepted ?? []).length > 0;
        return isAccepted
          ? { outcome: 'sent', details: { response } }
          : { outcome: 'failed', reason: response };
      } catch (error) {
        const reason = reasonOf(error, (text) => withoutCredentials(text, url));
        const refuses = refusalOf(error as SmtpError);
        if (refuses) return { outcome: 'failed', reason, refuses };
        return { outcome: isAboutEmail(error as SmtpError) ? 'refused' : 'failed', reason };
      }
    },
  };
}

interface SmtpError {
  responseCode?: number;
  response?: string;
  code?: string;
  command?: string;
}

/**
 * The sender's address is invalid (RFC 3463 §3.2), or this login may not use it. Postfix checks the
 * sender when it gets the recipient. Exchange (5.7.60, 5.2.252), Amazon SES and SendGrid check it
 * when they get the message.
 */
const aboutSender =
  /\b(?:[45]\.1\.[78]|5\.7\.60|5\.2\.252|(?:sender|from) (?:address|identity|domain)|address is not verified)\b/i;

/** A missing permission (RFC 3463 §3.8). In a reply to the recipient, it may be the sender's. */
const aboutPermission = /\b5\.7\.\d+\b/;

/** 530 requires a login (RFC 4954 §6). */
function refusalOf({ responseCode = 0, response = '', code, command }: SmtpError): Refusal | null {
  const isTemporary = responseCode >= 400 && responseCode < 500;
  if (code === 'EAUTH') return isTemporary ? null : 'login';
  if (aboutSender.test(response)) return 'sender';
  if (responseCode === 530) return 'login';
  return responseCode >= 500 && command === 'MAIL FROM' ? 'sender' : null;
}

/**
 * Whether a 5yz reply is permanent for this email (RFC 5321 §4.2.1). A reply to the connection, or
 * about the login or the sender, is not: it affects all emails, and the operator can fix the cause.
 */
function isAboutEmail({ responseCode = 0, response = '', code }: SmtpError): boolean {
  if (responseCode < 500) return false;
  if (code === 'EMESSAGE') return true;
  return code === 'EENVELOPE' && !aboutPermission.test(response);
}
