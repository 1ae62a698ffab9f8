import { contactServices } from '@app/contract/forms/contact';
import { expect, test } from 'vitest';
import { drawn } from '../../email/letter.ts';
import * as emails from './emails.ts';

const contactNotice = (...given: Parameters<typeof emails.contactNotice>) =>
  drawn(emails.contactNotice(...given));
const contactReceipt = (...given: Parameters<typeof emails.contactReceipt>) =>
  drawn(emails.contactReceipt(...given));

const message = {
  name: 'Vera Visitor',
  email: 'vera@example.com',
  phone: '+1 555 010 0177',
  company: 'Vera’s Plumbing',
  message: 'Our phone rings\nday and night.',
  service: 'betty',
} as const;

test('answering the notice answers the visitor, by mail or by phone', () => {
  const { to, replyTo, html } = contactNotice(message, 'owner@example.com');
  expect([to, replyTo]).toEqual(['owner@example.com', 'vera@example.com']);
  expect(html).toContain('href="mailto:vera@example.com"');
  expect(html).toContain('href="tel:+15550100177"');
});

test('the notice says in words what it is about', () => {
  const about = contactServices.map(
    (service) =>
      /^About: (.+)$/m.exec(contactNotice({ ...message, service }, 'o@x.example').text)?.[1],
  );
  expect(about).toEqual([
    'General question',
    'Betty AI Assistant',
    'Custom AI Solutions',
    'Website Redesign',
    'A demo',
  ]);
});

test('a name stays on its line in subject, heading and facts', () => {
  const name = 'Vera\r\nBcc: all@example.com\nEmail: boss@example.com';
  const { subject, text } = contactNotice({ ...message, name }, 'owner@example.com');
  expect(subject).toBe('Message from Vera Bcc: all@example.com Email: boss@example.com');
  expect(text.match(/^Email: .*/gm)).toEqual(['Email: vera@example.com']);
});

test('the receipt repeats what the visitor sent, and is answered by no machine', () => {
  const { to, replyTo, text, headers } = contactReceipt(message);
  expect([to, replyTo]).toEqual(['vera@example.com', undefined]);
  expect(text).toContain('Hello Vera Visitor,');
  expect(text).toContain('What you sent:\n\nOur phone rings\nday and night.');
  expect(headers).toEqual({ 'Auto-Submitted': 'auto-replied' });
});

test.each([
  'https://evil.example/prize?you=won',
  'HTTP://EVIL.EXAMPLE',
  'www.evil.example',
  'evil.example/prize',
  '(evil.example)',
  'win@evil.example',
  '//evil.example',
  'выиграй.рф',
])('a stranger’s %s does not travel in the receipt', (link) => {
  const sent = { ...message, name: `Vera ${link}`, message: `Look at ${link} now.\nReally.` };
  const { text, html } = contactReceipt(sent);
  for (const body of [text, html]) {
    expect(body).not.toContain(link);
    expect(body).toContain('Hello Vera [link],');
    expect(body).toContain('Look at [link] now.');
    expect(body).toContain('Really.');
  }
});

test.each(['It is 3.5 m wide, e.g. here... or there?', 'Mr. Smith. Thanks.\n\n– Vera'])(
  'the receipt leaves %j as it is',
  (text) => {
    expect(contactReceipt({ ...message, message: text }).text).toContain(text);
  },
);
