import { lazyTransporter, messageOf } from './mime-message.ts';
import { withoutCredentials } from './smtp-credentials.ts';
import { type EmailTransport, excerpt, reasonOf } from './transport.ts';

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** In all: each reply of a slow server takes less than its timeout. */
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
        return { outcome: outcomeOf(error as SmtpError), reason };
      }
    },
  };
}

/**
 * The sender's address, or what the sender may do (RFC 3463 §3.2, §3.8). Postfix, for one, judges
 * the sender with the recipient.
 */
const aboutSender = /\b5\.(?:1\.[78]|7\.\d+)\b/;

interface SmtpError {
  responseCode?: number;
  response?: string;
  code?: string;
  command?: string;
}

/**
 * A 5yz reply is permanent for the message (RFC 5321 §4.2.1), but not for the connection or login,
 * nor is 530, which requires a login (RFC 4954 §6), nor one about the sender, who is the same for
 * all emails.
 */
function outcomeOf({
  responseCode = 0,
  response = '',
  code,
  command,
}: SmtpError): 'failed' | 'sender_refused' | 'refused' {
  if (responseCode < 500 || responseCode === 530) return 'failed';
  if (code === 'EMESSAGE') return 'refused';
  if (code !== 'EENVELOPE') return 'failed';
  return command === 'MAIL FROM' || aboutSender.test(response) ? 'sender_refused' : 'refused';
}
