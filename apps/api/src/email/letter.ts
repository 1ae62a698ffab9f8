import type { Letter } from '@app/db/schema/email';
import { company } from '@app/site/company';
import { letterHtml } from './letter-html.ts';
import { manyLines, oneLine, wrap } from './plain-text.ts';

/** The mail's two bodies, in the brand. */
export function writeLetter(letter: Letter): { text: string; html: string } {
  const clean = cleaned(letter);
  return { text: letterText(clean), html: letterHtml(clean) };
}

/** A mail with its bodies in place of what they say. */
export const drawn = <T extends { letter: Letter }>({ letter, ...mail }: T) => ({
  ...mail,
  ...writeLetter(letter),
});

/** Names and facts stay on their line, so that nobody's name can pass for a fact. */
const cleaned = ({ facts, quote, ...letter }: Letter): Letter => ({
  ...letter,
  ...(letter.heading && { heading: oneLine(letter.heading) }),
  ...(letter.preheader && { preheader: oneLine(letter.preheader) }),
  paragraphs: letter.paragraphs.map(manyLines),
  ...(facts && { facts: facts.map((fact) => ({ ...fact, value: oneLine(fact.value) })) }),
  ...(quote && { quote: { ...quote, text: manyLines(quote.text) } }),
  ...(letter.note && { note: manyLines(letter.note) }),
  ...(letter.reason && { reason: oneLine(letter.reason) }),
});

/** Links and what somebody wrote keep their lines; mail programs show them as they are. */
function letterText({
  heading,
  paragraphs,
  facts,
  quote,
  action,
  note,
  link,
  reason,
}: Letter): string {
  const { mailboxes, phones, name } = company;
  return [
    ...(heading ? [wrap(heading)] : []),
    ...paragraphs.map(wrap),
    ...(facts ? [facts.map(({ label, value }) => `${label}: ${value}`).join('\n')] : []),
    ...(quote ? [`${quote.label}:\n\n${quote.text}`] : []),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(note ? [wrap(note)] : []),
    ...(link ? [`${link.label}:\n${link.url}`] : []),
    // The line by which mail programs know a signature (RFC 3676 §4.3).
    ['-- ', name, mailboxes.hello, phones.office.label].join('\n'),
    ...(reason ? [wrap(reason)] : []),
  ].join('\n\n');
}
