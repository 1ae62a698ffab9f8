import type { SendMailOptions, Transporter } from 'nodemailer';
import { messageIdOf, type OutgoingEmail } from './transport.ts';

/** Names and addresses are passed separately, so that nodemailer parses neither. */
export const messageOf = (email: OutgoingEmail, from: string): SendMailOptions => ({
  from,
  to: { name: '', address: email.to },
  subject: email.subject,
  text: email.text,
  html: email.html,
  messageId: messageIdOf(email, from),
  date: new Date(email.createdAt),
  ...(email.headers !== null && { headers: email.headers }),
  ...(email.replyTo !== null && { replyTo: { name: '', address: email.replyTo } }),
});

/** Loads nodemailer with the first email: it is larger than the rest of the server. */
export function lazyTransporter(options: object): () => Promise<Transporter> {
  let transporter: Promise<Transporter> | undefined;
  return () => {
    transporter ??= import('nodemailer').then(({ createTransport }) => createTransport(options));
    return transporter;
  };
}

const composer = lazyTransporter({ streamTransport: true, buffer: true });

/** @returns the message as in RFC 5322 */
export async function composeMessage(email: OutgoingEmail, from: string): Promise<Buffer> {
  const { message } = await (await composer()).sendMail(messageOf(email, from));
  return message as Buffer;
}
