import type { FormValues } from './form.ts';
import type { FormTokens } from './form-tokens.ts';

/** Hidden fields, '' when absent. */
export interface SpamFields {
  honeypot: string;
  formToken: string;
}

/** Shown to the owner, who reviews the quarantine. */
const spamSignals = {
  honeypot: 'the hidden field is filled in',
  tooFast: 'sent within two seconds',
  forgedToken: 'the form token is forged',
  linkInName: 'a link in the name',
  linkMarkup: 'links as BBCode or HTML',
  manyLinks: 'many links',
  sameText: 'the same text again and again',
  busyAddress: 'many from one address',
} as const;

type SpamSignal = (typeof spamSignals)[keyof typeof spamSignals];

/** A resume may have a few. */
const maxLinks = 5;
/** Per hour. */
const maxFromAddress = 10;
/** Per day. */
const maxOfText = 3;

const link = /https?:\/\/|\bwww\./gi;
const linkMarkup = /\[(?:url|link)[=\]]|<a\s[^<>]*href/i;

/** Signals in the submission itself. */
export function detectSpam(
  { name, message }: FormValues,
  { honeypot, formToken }: SpamFields,
  formTokens: FormTokens,
): SpamSignal[] {
  const found: SpamSignal[] = [];
  if (honeypot.trim() !== '') found.push(spamSignals.honeypot);
  if (formToken !== '') {
    const result = formTokens.verify(formToken);
    if (result === 'forged') found.push(spamSignals.forgedToken);
    if (result === 'too_fast') found.push(spamSignals.tooFast);
  }
  if (name.match(link)) found.push(spamSignals.linkInName);
  if (linkMarkup.test(message)) found.push(spamSignals.linkMarkup);
  if ((message.match(link)?.length ?? 0) > maxLinks) found.push(spamSignals.manyLinks);
  return found;
}

/**
 * Signals in comparison with earlier submissions. Both counts include this one.
 * @param fromAddress from the same address within the hour
 * @param ofText with the same text within a day
 */
export function detectRepetition(fromAddress: number, ofText: number): SpamSignal[] {
  const found: SpamSignal[] = [];
  if (fromAddress > maxFromAddress) found.push(spamSignals.busyAddress);
  if (ofText > maxOfText) found.push(spamSignals.sameText);
  return found;
}
