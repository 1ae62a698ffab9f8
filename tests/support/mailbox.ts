import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';

/** Longer than any mail takes; who waits in vain is told so instead of being kept. */
const patience = 15_000;

/** Mails that were read before, by their files and how long these were. */
const known = new Map<string, Promise<Email>>();

/** What was being written when it was read is read again. */
async function readMail(file: string): Promise<Email> {
  const key = `${file} ${(await stat(file)).size}`;
  const mail = known.get(key) ?? readFile(file).then((bytes) => PostalMime.parse(bytes));
  known.set(key, mail);
  return mail;
}

/** Every mail that the server wrote to DATA_DIR/mail, oldest first. */
export async function readMails(dataDir: string): Promise<Email[]> {
  const folder = join(dataDir, 'mail');
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.eml')).sort();
  return Promise.all(files.map((name) => readMail(join(folder, name))));
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
export const waitForConfirmationLink = async (dataDir: string, email: string): Promise<string> =>
  (await waitForLink(dataDir, email, '/auth/confirm')).link;

/** Waits for a mail with a link that opens the page at `path` with a token; gives both. */
export async function waitForLink(
  dataDir: string,
  email: string,
  path: string,
): Promise<{ mail: Email; link: string }> {
  const link = new RegExp(`https?://\\S+${path}\\?token=[\\w-]{43}`);
  const mail = await waitForMail(
    dataDir,
    ({ to, text }) => to?.[0]?.address === email && link.test(text ?? ''),
  );
  return { mail, link: link.exec(mail.text ?? '')?.[0] ?? '' };
}
