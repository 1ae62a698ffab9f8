import { join } from 'node:path';
import type { Env } from '../env.ts';
import { fileTransport } from './files.ts';
import { resendTransport } from './resend.ts';
import { smtpTransport } from './smtp.ts';
import type { MailTransport } from './transport.ts';

/** The transport that the settings choose; mail to files comes from `defaultFrom`. */
export function createTransport({ mail, dataDir }: Env, defaultFrom: string): MailTransport {
  switch (mail.transport) {
    case 'resend':
      return resendTransport(mail.apiKey, mail.from, mail.baseUrl);
    case 'smtp':
      return smtpTransport(mail.url, mail.from);
    case 'files':
      return fileTransport(join(dataDir, 'mail'), mail.from ?? defaultFrom);
  }
}
