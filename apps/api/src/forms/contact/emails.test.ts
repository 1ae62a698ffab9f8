import { contactServices } from '@app/contract/forms/contact';
import { limits } from '@app/contract/limits';
import { contactForm } from '@app/site/forms/contact';
import { expect, test } from 'vitest';
import { render } from '../../testing/test-email.ts';
import * as emails from './emails.ts';

const contactNotice = (...given: Parameters<typeof emails.contactNotice>) =>
  render(emails.contactNotice(...given));
const contactReceipt = (...given: Parameters<typeof emails.contactReceipt>) =>
  render(emails.contactReceipt(...given));

const message = {
  name: 'Vera Visitor',
  email: 'vera@example.com',
  phone: '+1 555 010 0177',
  company: 'Vera’s Plumbing',
  message: 'Our phone rings\nday and night.',
  service: 'betty',
} as const;

test("the notice links to the visitor's email and phone", async () => {
  const { to, replyTo, html } = await contactNotice(message, 'owner@example.com');
  expect([to, replyTo]).toEqual(['owner@example.com', 'vera@example.com']);
  expect(html).toContain('href="mailto:vera@example.com"');
  expect(html).toContain('href="tel:+15550100177"');
});

test('the notice names the service', async () => {
  const notices = contactServices.map((service) =>
    contactNotice({ ...message, service }, 'o@x.example'),
  );
  const about = (await Promise.all(notices)).map(({ text }) => /^About: (.+)$/m.exec(text)?.[1]);
  expect(about).toEqual(contactServices.map((service) => contactForm.services[service]));
});

test('a name cannot add lines to subject, heading and facts', async () => {
  const name = 'Vera\r\nBcc: all@example.com\nEmail: boss@example.com';
  const { subject, text } = await contactNotice({ ...message, name }, 'owner@example.com');
  expect(subject).toBe('Message from Vera Bcc: all@example.com Email: boss@example.com');
  expect(text.match(/^Email: .*/gm)).toEqual(['Email: vera@example.com']);
});

test('the receipt repeats the message and stops auto-replies', async () => {
  const { to, replyTo, text, headers } = await contactReceipt(message);
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
])('removes %s from the receipt', async (link) => {
  const sent = { ...message, name: `Vera ${link}`, message: `Look at ${link} now.\nReally.` };
  const { text, html } = await contactReceipt(sent);
  for (const body of [text, html]) {
    expect(body).not.toContain(link);
    expect(body).toContain('Hello Vera [link],');
    expect(body).toContain('Look at [link] now.');
    expect(body).toContain('Really.');
  }
});

test.each(['It is 3.5 m wide, e.g. here... or there?', 'Mr. Smith. Thanks.\n\n– Vera'])(
  'does not change %j in the receipt',
  async (text) => {
    expect((await contactReceipt({ ...message, message: text })).text).toContain(text);
  },
);

test('the longest message is not clipped by Gmail at 102 kB', async () => {
  const { html } = await contactNotice(
    {
      name: '&'.repeat(limits.name),
      email: `${'a'.repeat(limits.email - 12)}@example.com`,
      phone: '1'.repeat(limits.phone),
      company: '"'.repeat(limits.company),
      message: '"\n'.repeat(limits.message / 2),
      service: 'general',
    },
    'owner@example.com',
  );
  expect(Buffer.byteLength(html)).toBeLessThan(102_000);
});
