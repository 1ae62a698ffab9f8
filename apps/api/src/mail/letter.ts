import { company } from '@app/site/company';
import { letterHtml } from './letter-html.ts';
import { manyLines, oneLine, wrap } from './plain-text.ts';

/** What a mail says, before it becomes text and HTML. Everything in it is plain text. */
export interface Letter {
  /** What mail programs show beside the subject; the first paragraph where it is absent. */
  preheader?: string;
  heading?: string;
  paragraphs: readonly string[];
  /** A small table. `href` makes a link of the value: `mailto:` or `tel:`. */
  facts?: readonly { label: string; value: string; href?: string }[];
  /** What somebody wrote, with its own lines. */
  quote?: { label: string; text: string };
  /** The one thing to press, if there is one. */
  action?: { label: string; url: string };
  /** Said in small below. */
  note?: string;
  /** Something else to press, in small at the end. */
  link?: { label: string; url: string };
  /** Why this person gets the mail, as a sentence, at its foot. */
  reason?: string;
}

/** The mail's two bodies, in the brand. */
export function writeLetter(letter: Letter): { text: string; html: string } {
  const clean = cleaned(letter);
  return { text: letterText(clean), html: letterHtml(clean) };
}

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
