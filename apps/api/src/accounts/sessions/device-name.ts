import Bowser from 'bowser';

/** Longer ones are made up. */
const longest = 512;

/**
 * A browser and its system in words, going by the User-Agent header (RFC 9110 §10.1.5): Firefox
 * on Windows. Empty when it does not say. Only for people to tell their devices apart: anybody
 * can send any.
 */
export function deviceName(userAgent: string | undefined): string {
  const { browser, os } = Bowser.parse(userAgent?.slice(0, longest) || 'none');
  return [browser.name, os.name].filter(Boolean).join(' on ');
}
