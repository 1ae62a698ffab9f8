import { lazyTransporter, messageOf } from './mime-message.ts';
import { excerpt, type MailTransport, reasonOf } from './transport.ts';

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Sends over SMTP: at least once, always under the same Message-ID. Sent is what the server
 * replied 2yz to, after the message's end and to its recipient (RFC 5321 §4.2.1).
 */
export function smtpTransport(url: string, from: string): MailTransport {
  const transporter = lazyTransporter({ url, ...timeouts });
  return {
    async send(mail) {
      try {
        const sent = await (await transporter()).sendMail(messageOf(mail, from));
        // The server's reply to the end of the message.
        const response = excerpt(sent.response ?? '');
        const isTaken = response.startsWith('2') && (sent.accepted ?? []).length > 0;
        return isTaken
          ? { outcome: 'sent', details: { response } }
          : { outcome: 'failed', reason: response };
      } catch (error) {
        // A 5yz reply to the message is final (RFC 5321 §4.2.1); to the connection or the login
        // it can be mended, and so can the 530 of a server that wants one (RFC 4954 §6).
        const { responseCode = 0, code } = error as { responseCode?: number; code?: string };
        const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
        const isRefused = isAboutMail && responseCode >= 500 && responseCode !== 530;
        return { outcome: isRefused ? 'refused' : 'failed', reason: reasonOf(error) };
      }
    },
  };
}
