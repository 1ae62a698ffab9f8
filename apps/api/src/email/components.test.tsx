import { company } from '@app/site/company';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { ActionButton, Facts, Note, NoteLink, Paragraph, Quote } from './components.tsx';
import { Layout } from './Layout.tsx';
import { renderWith } from './render.tsx';
import { template } from './template.ts';

const { office } = company.phones;
const url = 'https://example.com/auth/confirm?token=abc&next="/';
const required = { preview: 'Preview.', heading: 'Heading', reason: 'You asked for it.' };

async function render(Component: () => ReactElement) {
  const email = { kind: 'test', to: 'ann@example.com', props: {} };
  const bodies = await renderWith({ test: template({}, Component) }, email);
  if ('problem' in bodies) throw new Error(bodies.problem);
  return bodies;
}

test('the plain text has all parts in order, once', async () => {
  const { text } = await render(() => (
    <Layout {...required} heading="One more step">
      <Paragraph>Welcome.</Paragraph>
      <Facts
        facts={[
          { label: 'Name', value: 'Ann' },
          { label: 'Email', value: 'ann@example.com', href: 'mailto:ann@example.com' },
        ]}
      />
      <Quote label="What you sent">{'Hello,\n\n  my boiler is out.'}</Quote>
      <ActionButton href={`https://example.com/${'x'.repeat(60)}`}>Confirm</ActionButton>
      <Note>
        Had enough? <NoteLink href="https://example.com/end">Unsubscribe</NoteLink>
      </Note>
    </Layout>
  ));
  expect(text).toBe(
    [
      'One more step',
      'Welcome.',
      'Name: Ann\nEmail: ann@example.com',
      'What you sent:',
      'Hello,\n\n  my boiler is out.',
      `Confirm\nhttps://example.com/${'x'.repeat(60)}`,
      'Had enough? Unsubscribe https://example.com/end',
      `${company.name}\n${[company.mailboxes.hello, office?.label].filter(Boolean).join(' · ')}`,
      'You asked for it.',
    ].join('\n\n'),
  );
});

test('escapes user input in HTML', async () => {
  const nasty = '<script>alert("1")</script> & <a href="https://evil.example">click</a>';
  const { text, html } = await render(() => (
    <Layout preview={nasty} heading={nasty} reason={nasty}>
      <Paragraph>{nasty}</Paragraph>
      <Facts facts={[{ label: nasty, value: nasty, href: `mailto:${nasty}` }]} />
      <Quote label={nasty}>{nasty}</Quote>
      <ActionButton href={url}>{nasty}</ActionButton>
    </Layout>
  ));
  expect(text).toContain(nasty);
  expect(html).not.toMatch(/<script|<a href="https:\/\/evil/);
  expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &lt;a');
  expect(html).toContain('href="https://example.com/auth/confirm?token=abc&amp;next=&quot;/"');
});

test('keeps the line breaks of a message', async () => {
  const { text, html } = await render(() => (
    <Layout {...required}>
      <Quote label="Message">{'three\r\nfour'}</Quote>
    </Layout>
  ));
  expect(html).toContain('three<br/>four');
  expect(text).toContain('three\nfour');
});

test('wraps lines of the plain text, but not links', async () => {
  const link = `https://example.com/${'x'.repeat(100)}`;
  const { text } = await render(() => (
    <Layout {...required}>
      <Paragraph>{`${'word '.repeat(40)}end`}</Paragraph>
      <ActionButton href={link}>Open</ActionButton>
    </Layout>
  ));
  const lines = text.split('\n');
  expect(lines).toContain(link);
  const lengths = lines.filter((line) => line !== link).map((line) => line.length);
  expect(Math.max(...lengths)).toBeGreaterThan(66);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(72);
  expect(text.replaceAll('\n', ' ')).toContain(`${'word '.repeat(40)}end`);
});

test('shows a fact on one line, so that it cannot look like another', async () => {
  const value = `Ann\r\nEmail: boss@example.com\u2028Phone: 1\u0085x\u0000y\u202Ez ${'w '.repeat(50)}Now: q`;
  const { text } = await render(() => (
    <Layout {...required}>
      <Facts facts={[{ label: 'Name', value }]} />
    </Layout>
  ));
  expect(text.split('\n')[2]).toBe(
    `Name: Ann Email: boss@example.com Phone: 1 x yz ${'w '.repeat(50)}Now: q`,
  );
});

test('removes control characters and direction marks', async () => {
  const odd = 'a\u0000b\u0007c\u202Ed\u2066e\u001Bf';
  const { text, html } = await render(() => (
    <Layout {...required}>
      <Quote label="Message">{`\t${odd}`}</Quote>
    </Layout>
  ));
  for (const body of [text, html]) {
    expect(body).toContain('\tabcdef');
    expect(body).not.toMatch(/(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/u);
  }
});

test('the preview is hidden, short, and not in the plain text', async () => {
  const preview = (html: string) => /<div style="display:none[^>]*>([^<]*)/.exec(html)?.[1];
  const { text, html } = await render(() => (
    <Layout {...required} preview={`a${'🔧'.repeat(200)}`}>
      <Paragraph>Hello.</Paragraph>
    </Layout>
  ));
  expect(preview(html)).toBe(`a${'🔧'.repeat(69)}`);
  expect(text).not.toContain('🔧');
});

test('an email without links only links to the company', async () => {
  const { html } = await render(() => (
    <Layout {...required}>
      <Paragraph>Hello.</Paragraph>
    </Layout>
  ));
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    `mailto:${company.mailboxes.hello}`,
    ...(office ? [office.href] : []),
  ]);
});
