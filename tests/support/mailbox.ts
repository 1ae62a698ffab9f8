import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';

/** In milliseconds. */
const timeout = 15_000;

const known = new Map<string, Promise<Email>>();

/** The size is part of the key, because a file may be read while it is written. */
async function readMail(file: string): Promise<Email> {
  const key = `${file} ${(await stat(file)).size}`;
  const mail = known.get(key) ?? readFile(file).then((bytes) => PostalMime.parse(bytes));
  known.set(key, mail);
  return mail;
}

export async function readMails(dataDir: string): Promise<Email[]> {
  const folder = join(dataDir, 'mail');
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.eml')).sort();
  return Promise.all(files.map((name) => readMail(join(folder, name))));
}

/** Waits for an email; returns the latest match. */
export async function waitForMail(
  dataDir: string,
  isWanted: (mail: Email) => boolean,
): Promise<Email> {
  for (const end = Date.now() + timeout; Date.now() < end; await setTimeout(20)) {
    const mail = (await readMails(dataDir)).findLast(isWanted);
    if (mail) return mail;
  }
  throw new Error(`the mail did not come within ${timeout} ms`);
}

export const waitForConfirmationLink = async (dataDir: string, email: string): Promise<string> =>
  (await waitForLink(dataDir, email, '/auth/confirm')).link;

/** Waits for an email with a link to `path` with a token. */
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
