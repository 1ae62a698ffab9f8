const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** What a CRAM-MD5 login sends: the user and a hash of the password (RFC 2195). */
const longBase64 = /[A-Za-z\d+/]{40,}={0,2}/g;

/** Removes the login, because servers may repeat commands in replies. @param url of the server */
export function withoutCredentials(text: string, url: string): string {
  const given = new URL(url);
  const user = decodeURIComponent(given.username);
  const password = decodeURIComponent(given.password);
  // AUTH PLAIN (RFC 4616), AUTH LOGIN, and the password, both as in the URL and decoded.
  return [
    base64(`\0${user}\0${password}`),
    base64(user),
    base64(password),
    given.password,
    password,
  ]
    .filter((secret) => secret !== '')
    .reduce((left, secret) => left.replaceAll(secret, '…'), text)
    .replace(longBase64, '…');
}
