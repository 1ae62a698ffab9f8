import type { Sent } from './form.ts';
import type { Stamps } from './form-tokens.ts';

/** What a program sends and people do not, beside the fields. */
export interface Traces {
  /** What is in the field that people do not see. */
  honeypot: string;
  /** See `createStamps`. Empty without scripts. */
  stamp: string;
}

/** Why something is put in quarantine, in words for the person who looks through it. */
export const suspicions = {
  honeypot: 'the hidden field is filled in',
  tooFast: 'sent within two seconds',
  forgedStamp: 'the stamp is forged',
  linkInName: 'a link in the name',
  linkMarkup: 'links as BBCode or HTML',
  manyLinks: 'many links',
  sameText: 'the same text again and again',
  busyAddress: 'many from one address',
} as const;

export type Suspicion = (typeof suspicions)[keyof typeof suspicions];

/** More links than that are not put into a message by people; a resume has a few. */
const mostLinks = 5;
/** How often one address may write in an hour before a person has to look at it. */
const mostFromAddress = 10;
/** How often the same text may come in a day. */
const mostOfText = 3;

const link = /https?:\/\/|\bwww\./gi;
const linkMarkup = /\[(?:url|link)[=\]]|<a\s[^<>]*href/i;

/** What can be told from the submission alone. */
export function judge({ name, message }: Sent, traces: Traces, stamps: Stamps): Suspicion[] {
  const found: Suspicion[] = [];
  if (traces.honeypot.trim() !== '') found.push(suspicions.honeypot);
  if (traces.stamp !== '') {
    const verdict = stamps.judge(traces.stamp);
    if (verdict === 'forged') found.push(suspicions.forgedStamp);
    if (verdict === 'too_fast') found.push(suspicions.tooFast);
  }
  if (name.match(link)) found.push(suspicions.linkInName);
  if (linkMarkup.test(message)) found.push(suspicions.linkMarkup);
  if ((message.match(link)?.length ?? 0) > mostLinks) found.push(suspicions.manyLinks);
  return found;
}

/**
 * What can only be told from what came before: how much, and the same text as others.
 * @param fromAddress how many came from the same address within the hour, this one included
 * @param ofText how many with the same text, this one included
 */
export function judgeRepetition(fromAddress: number, ofText: number): Suspicion[] {
  const found: Suspicion[] = [];
  if (fromAddress > mostFromAddress) found.push(suspicions.busyAddress);
  if (ofText > mostOfText) found.push(suspicions.sameText);
  return found;
}
