import { company } from '@app/site/company';
import { offers } from '@app/site/offers';
import { expect, test } from 'vitest';
import { escapeXml } from './head/xml.ts';
import { fillPlaceholders, fillPlaceholdersInHtml } from './placeholders.ts';

test('replaces placeholders with values from packages/site', () => {
  const text = '{company.name}, since {company.founded}, answers {offers.emailReply}.';
  const filled = `${company.name}, since ${company.founded}, answers ${offers.emailReply}.`;
  expect(fillPlaceholders(text, 'a.md')).toBe(filled);
  expect(fillPlaceholdersInHtml(text, 'a.md')).toBe(escapeXml(filled));
});

test('replaces placeholders in links of HTML', () => {
  const link = '<a href="mailto:%7Bcompany.mailboxes.legal%7D">{company.mailboxes.legal}</a>';
  const { legal } = company.mailboxes;
  expect(fillPlaceholdersInHtml(link, 'a.md')).toBe(`<a href="mailto:${legal}">${legal}</a>`);
});

test.each(['company.nmae', 'company', 'company.mailboxes', 'company.nmae.length', ''])(
  'rejects the unknown placeholder {%s} with an error that names it and the file',
  (name) => {
    const message = `legal/terms.md: unknown placeholder {${name}}`;
    expect(() => fillPlaceholders(`From {${name}}`, 'legal/terms.md')).toThrow(message);
    expect(() => fillPlaceholdersInHtml(`mailto:%7B${name}%7D`, 'legal/terms.md')).toThrow(message);
  },
);
