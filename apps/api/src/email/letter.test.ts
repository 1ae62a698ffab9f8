import { company } from '@app/site/company';
import { expect, test } from 'vitest';
import { writeLetter } from './letter.ts';

const url = 'https://example.com/auth/confirm?token=abc&next="/';
const signature = `-- \n${company.name}\n${company.mailboxes.hello}\n${company.phones.office.label}`;

test('the text has its parts in order, apart from each other, and is signed', () => {
  const { text } = writeLetter({
    heading: 'One more step',
    paragraphs: ['Welcome.', 'Please confirm.'],
    facts: [{ label: 'Name', value: 'Ann' }],
    quote: { label: 'What you sent', text: 'Hello,\n\n  my boiler is out.' },
    action: { label: 'Confirm', url: 'https://example.com/confirm' },
    note: 'Not you? Ignore this.',
    reason: 'You get this mail because you asked for it.',
  });
  expect(text).toBe(
    [
      'One more step',
      'Welcome.',
      'Please confirm.',
      'Name: Ann',
      'What you sent:',
      'Hello,\n\n  my boiler is out.',
      'Confirm:\nhttps://example.com/confirm',
      'Not you? Ignore this.',
      signature,
      'You get this mail because you asked for it.',
    ].join('\n\n'),
  );
});

test('what people wrote is text in the HTML, never markup', () => {
  const nasty = '<script>alert("1")</script> & <a href="https://evil.example">click</a>';
  const { text, html } = writeLetter({
    preheader: nasty,
    heading: nasty,
    paragraphs: [nasty],
    facts: [{ label: nasty, value: nasty, href: `mailto:${nasty}` }],
    quote: { label: nasty, text: nasty },
    action: { label: nasty, url },
    note: nasty,
    reason: nasty,
  });
  expect(text).toContain(nasty);
  expect(html).not.toMatch(/<script|<a href="https:\/\/evil/);
  expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &lt;a');
  expect(html).toContain('href="https://example.com/auth/confirm?token=abc&amp;next=&quot;/"');
});

test('what else can be pressed stands at the end, in both bodies', () => {
  const link = { label: 'Unsubscribe & go', url };
  const { text, html } = writeLetter({ paragraphs: ['Hello.'], note: 'Had enough?', link });
  expect(text).toContain(`Had enough?\n\nUnsubscribe & go:\n${url}\n\n-- `);
  expect(html).toMatch(
    /<a href="https:\/\/example\.com\/auth\/confirm\?token=abc&amp;next=&quot;\/"[^>]*>Unsubscribe &amp; go<\/a>/,
  );
});

test('lines of a message stay lines', () => {
  const letter = { paragraphs: ['one\ntwo'], quote: { label: 'Message', text: 'three\r\nfour' } };
  const { text, html } = writeLetter(letter);
  expect(html).toContain('one<br>two');
  expect(html).toContain('three<br>four');
  expect(text).toContain('three\nfour');
});

test('lines of our own texts are short enough for every program, links stay whole', () => {
  const link = `https://example.com/${'x'.repeat(100)}`;
  const { text } = writeLetter({
    paragraphs: [`${'word '.repeat(40)}end`],
    action: { label: 'Open', url: link },
    note: `${'note '.repeat(40)}end`,
  });
  const lines = text.split('\n');
  expect(lines).toContain(link);
  const others = lines.filter((line) => line !== link);
  expect(Math.max(...others.map(({ length }) => length))).toBeGreaterThan(66);
  expect(Math.max(...others.map(({ length }) => length))).toBeLessThanOrEqual(72);
  expect(text.replaceAll('\n', ' ')).toContain(`${'word '.repeat(40)}end`);
});

test('a fact is one line, so that nobody’s name passes for another fact', () => {
  const value = 'Ann\r\nEmail: boss@example.com\u2028Phone: 1\u0085x\u0000y\u202Ez';
  const { text } = writeLetter({ paragraphs: [], facts: [{ label: 'Name', value }] });
  expect(text.split('\n')[0]).toBe('Name: Ann Email: boss@example.com Phone: 1 x y z');
});

test('characters that nobody writes go, wherever they stand', () => {
  const odd = 'a\u0000b\u0007c\u202Ed\u2066e\u001Bf';
  const { text, html } = writeLetter({
    heading: odd,
    paragraphs: [odd],
    quote: { label: 'Message', text: `\t${odd}` },
    note: odd,
  });
  for (const body of [text, html]) {
    expect(body).toContain('abcdef');
    expect(body).toContain('\tabcdef');
    expect(body).not.toMatch(/(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/u);
  }
});

test('what mail programs show beside the subject is the first paragraph, or what is asked for', () => {
  const shown = (html: string) => /<div style="display:none[^>]*>([^<]*?)&#847;/.exec(html)?.[1];
  expect(shown(writeLetter({ paragraphs: ['First.', 'Second.'] }).html)).toBe('First.');
  expect(shown(writeLetter({ preheader: 'Before.', paragraphs: ['First.'] }).html)).toBe('Before.');
  expect(shown(writeLetter({ preheader: '🔧'.repeat(200), paragraphs: [] }).html)).toBe(
    '🔧'.repeat(140),
  );
});

test('a letter without a button leads nowhere but to the company', () => {
  const { html } = writeLetter({ paragraphs: ['Hello.'] });
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    `mailto:${company.mailboxes.hello}`,
    company.phones.office.href,
  ]);
});
