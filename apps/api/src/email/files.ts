import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { composeMessage } from './mime-message.ts';
import { type MailTransport, reasonOf } from './transport.ts';

/** For development. Also logs links. Retries overwrite the file. */
export function fileTransport(folder: string, from: string): MailTransport {
  return {
    async send(mail) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const time = new Date(mail.createdAt).toISOString().replace(/[:.]/g, '-');
        const file = join(folder, `${time}-${mail.kind}-${mail.id.slice(-8)}.eml`);
        await writeFile(file, await composeMessage(mail, from), { mode: 0o600 });
        const links = mail.text.match(/https?:\/\/\S+/g) ?? [];
        return { outcome: 'sent', details: { to: mail.to, file, links } };
      } catch (error) {
        return { outcome: 'failed', reason: reasonOf(error) };
      }
    },
  };
}
