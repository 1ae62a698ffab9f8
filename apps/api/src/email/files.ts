import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toIso } from '../clock.ts';
import { composeMessage } from './mime-message.ts';
import { type EmailTransport, reasonOf } from './transport.ts';

/**
 * Writes emails to files, for development. Logs their links to the site, but not others, because
 * people typed them. Retries overwrite the file.
 */
export function fileTransport(folder: string, from: string, publicUrl: string): EmailTransport {
  return {
    async send(email) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const time = toIso(email.createdAt).replace(/[:.]/g, '-');
        const file = join(folder, `${time}-${email.kind}-${email.id.slice(-8)}.eml`);
        await writeFile(file, await composeMessage(email, from), { mode: 0o600 });
        const links = email.text.match(/https?:\/\/\S+/g) ?? [];
        const ownLinks = links.filter((link) => link.startsWith(`${publicUrl}/`));
        return { outcome: 'sent', details: { file, links: ownLinks } };
      } catch (error) {
        return { outcome: 'failed', reason: reasonOf(error) };
      }
    },
  };
}
