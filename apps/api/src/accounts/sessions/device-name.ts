import Bowser from 'bowser';

const maxLength = 512;

/** Such as "Firefox on Windows". The User-Agent header (RFC 9110 §10.1.5) can be forged. */
export function deviceName(userAgent: string | undefined): string {
  const { browser, os } = Bowser.parse(userAgent?.slice(0, maxLength) || 'none');
  return [browser.name, os.name].filter(Boolean).join(' on ');
}
