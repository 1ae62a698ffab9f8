import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';

/** Longer than any mail takes; who waits in vain is told so instead of being kept. */
const patience = 15_000;

/** Every mail that the server wrote to DATA_DIR/mail, oldest first. */
export async function readMails(dataDir: string): Promise<Email[]> {
  const folder = join(dataDir, 'mail');
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.eml')).sort();
  return Promise.all(
    files.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
  );
}

/** Waits for a mail; the newest one, if there are several. */
export async function waitForMail(
  dataDir: string,
  isWanted: (mail: Email) => boolean,
): Promise<Email> {
  for (const end = Date.now() + patience; Date.now() < end; await setTimeout(20)) {
    const mail = (await readMails(dataDir)).findLast(isWanted);
    if (mail) return mail;
  }
  throw new Error(`the mail did not come within ${patience} ms`);
}

/** Waits for the link that confirms an address. */
export async function waitForConfirmationLink(dataDir: string, email: string): Promise<string> {
  const link = /https?:\/\/\S+\/auth\/confirm\?token=[\w-]{43}/;
  const { text } = await waitForMail(
    dataDir,
    (mail) => mail.to?.[0]?.address === email && link.test(mail.text ?? ''),
  );
  return link.exec(text ?? '')?.[0] ?? '';
}
