import { company } from '@app/site/company';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { composeMessage } from './email/mime-message.ts';
import { sampleToken } from './email/samples.ts';
import { emailSamples, templates } from './email-templates.ts';
import { features } from './features.ts';
import { from, makeEmail, render } from './testing/test-email.ts';
import { contrast, visibleTexts } from './testing/visible-text.ts';

const publicUrl = 'https://site.example';
const samples = await Promise.all(emailSamples(publicUrl).map(render));
const all = samples.map((email, index) => ({ name: `${email.kind} (${index})`, email }));

test('every kind of email has a sample', () => {
  const kinds = Object.keys(templates);
  expect(kinds.length).toBeGreaterThan(8);
  expect([...new Set(samples.map(({ kind }) => kind))].sort()).toEqual(kinds.sort());
});

test('all emails of accounts are sent despite a complaint about another one, and no others', async () => {
  for (const { emails, accountEmails = [], routes = {} } of features) {
    if (!emails) continue;
    const isOfAccounts = Object.keys(routes).some((path) => path.startsWith('/api/auth'));
    const kinds = Object.keys((await emails()).templates);
    expect(accountEmails.toSorted()).toEqual(isOfAccounts ? kinds.sort() : []);
  }
});

const unescaped = (html: string): string =>
  html
    .replace(/&#?\w+;/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
};

const words = (text: string): string[] =>
  text
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => word.replace(/:$/, ''));

describe.each(all)('$name', ({ email }) => {
  const { text, html, subject } = email;
  const texts = visibleTexts(html, 'day');

  test('has the same text in both bodies', () => {
    // Only the HTML has the company's name above the card.
    const [heading, ...body] = texts.map((part) => unescaped(part.text));
    expect(heading).toBe(company.name);
    // Only the plain text shows the URLs of links.
    const withoutLinks = (value: string) => value.replaceAll(/https:\/\/\S+/g, '');
    expect(words(withoutLinks(body.join(' ')))).toEqual(words(withoutLinks(text)));
  });

  test('says why it was sent, and by whom', () => {
    for (const part of ['You received this email because', company.mailboxes.hello]) {
      expect(text.replaceAll('\n', ' ')).toContain(part);
    }
  });

  test('contains all of its props', () => {
    for (const body of [subject, text, html]) {
      expect(body).not.toMatch(/undefined|\[object|NaN|\bnull\b/);
    }
  });

  test.each(['day', 'night'] as const)('has enough contrast by %s', (hour) => {
    const texts = visibleTexts(html, hour);
    expect(texts.length).toBeGreaterThan(5);
    for (const { text: part, color, ground } of texts) {
      expect(contrast(color, ground), `${part}: ${color} on ${ground}`).toBeGreaterThan(4.5);
    }
  });

  test('has dark colors', () => {
    const byNight = visibleTexts(html, 'night');
    expect(byNight.map((part) => part.text)).toEqual(texts.map((part) => part.text));
    for (const [index, { color, ground }] of texts.entries()) {
      expect(byNight[index]?.color).not.toBe(color);
      expect(byNight[index]?.ground).not.toBe(ground);
    }
  });

  test('has tokens only in links, where the outbox removes them', () => {
    const props = JSON.stringify(email.props);
    expect(props.replaceAll(`?token=${sampleToken}`, '')).not.toContain(sampleToken);
  });

  test('loads no resources', () => {
    expect(html).not.toMatch(/<(?:img|link|script|iframe|object|svg|video|picture|form|base)\b/i);
    expect(html).not.toMatch(/url\(|@import|@font-face|src=|srcset=|background="/i);
  });

  test('links only to the site, the calendar, mailboxes and phones', () => {
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => unescaped(href));
    for (const link of links) {
      expect(['https:', 'mailto:', 'tel:']).toContain(new URL(link).protocol);
      if (link.startsWith('https:')) {
        if (link !== company.bookingUrl) expect(new URL(link).origin).toBe(publicUrl);
        expect(text.split(/\s/)).toContain(link);
      }
    }
    expect(links).toContain(`mailto:${company.mailboxes.hello}`);
  });

  test('is small', () => {
    expect(Buffer.byteLength(html)).toBeLessThan(30_000);
  });

  test('has no line breaks in its headers', () => {
    const lines = [subject, email.to, email.replyTo ?? '', ...Object.entries(email.headers ?? {})];
    for (const line of lines.flat()) expect(line).not.toMatch(/\p{Cc}/u);
  });

  test('is delivered unchanged', async () => {
    const outgoing = makeEmail({
      ...email,
      replyTo: email.replyTo ?? null,
      headers: email.headers ?? null,
    });
    const bytes = await composeMessage(outgoing, from);
    const arrived = await PostalMime.parse(bytes);

    expect(arrived.subject).toBe(subject);
    expect(arrived.to).toEqual([{ name: '', address: email.to }]);
    expect(arrived.replyTo?.map(({ address }) => address)).toEqual(
      email.replyTo && [email.replyTo],
    );
    expect(arrived.text?.trimEnd()).toBe(text);
    expect(arrived.html?.trimEnd()).toBe(html.trimEnd());
    expect(arrived.bcc ?? arrived.cc).toBeUndefined();
    for (const [name, value] of Object.entries(email.headers ?? {})) {
      expect(arrived.headers).toContainEqual(
        expect.objectContaining({ key: name.toLowerCase(), value }),
      );
    }
    // RFC 5322 §2.1.1.
    for (const line of bytes.toString('latin1').split('\r\n')) {
      expect(line.length).toBeLessThanOrEqual(998);
    }
  });

  test("keeps its styles within Gmail's limit", () => {
    const styles = [...html.matchAll(/<style>([^<]*)<\/style>/g)].map(([, style = '']) => style);
    expect(styles.length).toBeGreaterThan(1);
    for (const style of styles) expect(style.length).toBeLessThan(8_192);
  });
});
