import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';

/** In milliseconds. */
const timeout = 90_000;

const known = new Map<string, Promise<Email>>();

/** The size is part of the key, because a file can be read while it is written. */
async function readEmail(file: string): Promise<Email> {
  const key = `${file} ${(await stat(file)).size}`;
  const email = known.get(key) ?? readFile(file).then((bytes) => PostalMime.parse(bytes));
  known.set(key, email);
  return email;
}

export async function readEmails(dataDir: string): Promise<Email[]> {
  const folder = join(dataDir, 'mail');
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.eml')).sort();
  return Promise.all(files.map((name) => readEmail(join(folder, name))));
}

/** Returns the latest match. */
export async function waitForEmail(
  dataDir: string,
  isWanted: (email: Email) => boolean,
): Promise<Email> {
  for (const end = Date.now() + timeout; Date.now() < end; await setTimeout(20)) {
    const email = (await readEmails(dataDir)).findLast(isWanted);
    if (email) return email;
  }
  throw new Error(`the email did not come within ${timeout} ms`);
}

export const waitForConfirmationLink = async (dataDir: string, email: string): Promise<string> =>
  (await waitForLink(dataDir, email, '/auth/confirm')).link;

export async function waitForLink(
  dataDir: string,
  to: string,
  path: string,
): Promise<{ email: Email; link: string }> {
  const link = new RegExp(`https?://\\S+${path}\\?token=[\\w-]{43}`);
  const email = await waitForEmail(
    dataDir,
    (sent) => sent.to?.[0]?.address === to && link.test(sent.text ?? ''),
  );
  return { email, link: link.exec(email.text ?? '')?.[0] ?? '' };
}
