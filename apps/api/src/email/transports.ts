import { join } from 'node:path';
import { company } from '@app/site/company';
import type { Env } from '../env.ts';
import { fileTransport } from './files.ts';
import { resendTransport } from './resend.ts';
import { smtpTransport } from './smtp.ts';
import type { MailTransport } from './transport.ts';

export function createTransport({ mail, dataDir }: Env): MailTransport {
  const from = withName(mail.from ?? company.mailboxes.hello);
  switch (mail.transport) {
    case 'resend':
      return resendTransport(mail.apiKey, from, mail.baseUrl);
    case 'smtp':
      return smtpTransport(mail.url, from);
    case 'files':
      return fileTransport(join(dataDir, 'mail'), from);
  }
}

/** Adds the company's name, quoted if needed (RFC 5322 §3.2.4). */
export function withName(sender: string, name: string = company.name): string {
  if (sender.includes('<')) return sender;
  return `${/^[\w -]+$/.test(name) ? name : JSON.stringify(name)} <${sender}>`;
}
