import type { SendMailOptions, Transporter } from 'nodemailer';
import { messageIdOf, type OutgoingMail } from './transport.ts';

/** Names and addresses are passed separately, so that nodemailer parses neither. */
export const messageOf = (mail: OutgoingMail, from: string): SendMailOptions => ({
  from,
  to: { name: '', address: mail.to },
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  messageId: messageIdOf(mail, from),
  date: new Date(mail.createdAt),
  ...(mail.headers !== null && { headers: mail.headers }),
  ...(mail.replyTo !== null && { replyTo: { name: '', address: mail.replyTo } }),
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

/** RFC 5322. */
export async function composeMessage(mail: OutgoingMail, from: string): Promise<Buffer> {
  const { message } = await (await composer()).sendMail(messageOf(mail, from));
  return message as Buffer;
}
