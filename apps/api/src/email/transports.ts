import { join } from 'node:path';
import { company } from '@app/site/company';
import type { Env } from '../env.ts';
import { fileTransport } from './files.ts';
import { smtpTransport } from './smtp.ts';
import type { EmailTransport } from './transport.ts';

export function createTransport({ email, dataDir, publicUrl }: Env): EmailTransport {
  const from = withName(email.from ?? company.mailboxes.hello);
  switch (email.transport) {
    case 'resend':
      return lazyTransport(async () => {
        const { resendTransport } = await import('./resend.ts');
        return resendTransport(email.apiKey, from, email.baseUrl);
      });
    case 'smtp':
      return smtpTransport(email.url, from);
    case 'files':
      return fileTransport(join(dataDir, 'mail'), from, publicUrl);
  }
}

function lazyTransport(load: () => Promise<EmailTransport>): EmailTransport {
  let loading: Promise<EmailTransport> | undefined;
  return {
    async send(email) {
      loading ??= load();
      return (await loading).send(email);
    },
  };
}

/** Adds the company's name, quoted if needed (RFC 5322 §3.2.4). */
export function withName(sender: string, name: string = company.name): string {
  if (sender.includes('<')) return sender;
  return `${/^[\w -]+$/.test(name) ? name : JSON.stringify(name)} <${sender}>`;
}
