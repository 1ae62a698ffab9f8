import { openDatabase } from './database.ts';
import { waitForConfirmationLink } from './mailbox.ts';
import { insertSignedInUser } from './signed-in-user.ts';
import type { SiteProcess } from './site-process.ts';

const password = 'correct horse';

function sessionOf({ headers }: Response): string {
  const [session = ''] = headers.getSetCookie();
  return session.split(';')[0] ?? '';
}

/** Calls a running server like a signed-in browser: with Origin and session cookie. */
export class Writer {
  /** The value of the header. */
  readonly cookie: string;
  readonly #site: SiteProcess;

  private constructor(site: SiteProcess, cookie: string) {
    this.#site = site;
    this.cookie = cookie;
  }

  /** @param session see `insertSignedInUser` */
  static signedIn(site: SiteProcess, session: string): Writer {
    return new Writer(site, `session=${session}`);
  }

  /** Inserts the account, because a sign-up would take half a second of CPU. */
  static add(site: SiteProcess, name = 'ann', role: 'member' | 'staff' = 'member'): Writer {
    using db = openDatabase(site.dataDir);
    return Writer.signedIn(site, insertSignedInUser(db, name, { role }));
  }

  /** Returns null if the sign-in is refused. */
  static async signIn(site: SiteProcess, email: string): Promise<Writer | null> {
    const visitor = new Writer(site, '');
    const response = await visitor.call('POST', '/api/auth/sign-in', { email, password });
    return response.ok ? new Writer(site, sessionOf(response)) : null;
  }

  static async signUp(site: SiteProcess, email = 'ann@example.com'): Promise<Writer> {
    const visitor = new Writer(site, '');
    await visitor.call('POST', '/api/auth/sign-up', { email, password });
    const link = new URL(await waitForConfirmationLink(site.dataDir, email));
    const response = await visitor.call('POST', '/api/auth/confirm', {
      token: link.searchParams.get('token'),
    });
    const writer = new Writer(site, sessionOf(response));
    await writer.call('PATCH', '/api/profile', { fullName: `Person ${email.split('@')[0]}` });
    return writer;
  }

  call(method: string, path: string, body: unknown): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' };
    return this.#request(path, { method, headers, body: JSON.stringify(body) });
  }

  upload(picture: Uint8Array<ArrayBuffer>): Promise<Response> {
    return this.#send('PUT', '/api/profile/avatar', picture);
  }

  uploadPicture(picture: Uint8Array<ArrayBuffer>): Promise<Response> {
    return this.#send('POST', '/api/posts/pictures', picture);
  }

  #send(method: string, path: string, picture: Uint8Array<ArrayBuffer>): Promise<Response> {
    const body = new FormData();
    body.set('file', new Blob([picture]), 'me.png');
    return this.#request(path, { method, body });
  }

  #request(path: string, { headers, ...init }: RequestInit): Promise<Response> {
    const { url, origin } = this.#site;
    return fetch(url + path, {
      ...init,
      headers: { ...headers, Origin: origin, Cookie: this.cookie },
    });
  }
}
