import { company } from '@app/site/company';
import { expect, test } from 'vitest';
import { writeLetter } from './letter.ts';

const url = 'https://example.com/auth/confirm?token=abc&next="/';

test('both bodies say the same, and are signed', () => {
  const { text, html } = writeLetter({
    paragraphs: ['Welcome.', 'One more step.'],
    action: { label: 'Confirm', url: 'https://example.com/confirm' },
    note: 'Not you? Ignore this.',
  });
  expect(text).toBe(
    `Welcome.\n\nOne more step.\n\nConfirm:\nhttps://example.com/confirm\n\nNot you? Ignore this.\n\n-- \n${company.name}`,
  );
  for (const part of ['Welcome.', 'One more step.', '>Confirm</a>', 'Not you? Ignore this.']) {
    expect(html).toContain(part);
  }
  expect(html).toContain('href="https://example.com/confirm"');
});

test('what people wrote is text in the HTML, never markup', () => {
  const nasty = '<script>alert("1")</script> & <a href="https://evil.example">click</a>';
  const { text, html } = writeLetter({
    paragraphs: [nasty],
    action: { label: '<b>Go</b>', url },
    note: '<i>note</i>',
  });
  expect(text).toContain(nasty);
  expect(html).not.toMatch(/<script|<b>|<i>|<a href="https:\/\/evil/);
  expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &lt;a');
  expect(html).toContain('href="https://example.com/auth/confirm?token=abc&amp;next=&quot;/"');
});

test('lines of a message stay lines', () => {
  expect(writeLetter({ paragraphs: ['one\ntwo'] }).html).toContain('one<br>two');
});

test('a letter without a button has no link', () => {
  expect(writeLetter({ paragraphs: ['Hello.'] }).html).not.toContain('<a ');
});
