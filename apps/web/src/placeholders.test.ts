import { company } from '@app/site/company';
import { offers } from '@app/site/offers';
import { expect, test } from 'vitest';
import { fillPlaceholders } from './placeholders.ts';

test('placeholders are replaced by what packages/site defines', () => {
  const text = '{company.name} answers at {company.mailboxes.privacy} {offers.emailReply}.';
  expect(fillPlaceholders(text, 'a.md')).toBe(
    `${company.name} answers at ${company.mailboxes.privacy} ${offers.emailReply}.`,
  );
  expect(fillPlaceholders('Founded in {company.founded}', 'a.md')).toBe(
    `Founded in ${company.founded}`,
  );
});

test.each(['{company.nmae}', '{company}', '{company.mailboxes}', '{company.name.length.x}', '{}'])(
  'the unknown placeholder %s is an error that names it and its file',
  (placeholder) => {
    expect(() => fillPlaceholders(`From ${placeholder}`, 'legal/terms.md')).toThrow(
      `legal/terms.md: unknown placeholder ${placeholder}`,
    );
  },
);
