import { contactServices } from '@app/contract/forms/contact';
import { limits } from '@app/contract/limits';
import { company } from '@app/site/company';
import { contactForm } from '@app/site/forms/contact';
import { offers } from '@app/site/offers';
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

test('the receipt says what happens next, and stops auto-replies', async () => {
  const { to, replyTo, subject, text, html, headers } = await contactReceipt(message);
  expect([to, replyTo]).toEqual(['vera@example.com', undefined]);
  expect(subject).toBe('We have your message');
  expect(text).toContain('Hello Vera Visitor,');
  expect(text.replaceAll('\n', ' ')).toContain(`replies ${offers.emailReply}`);
  expect(text).toContain(company.phones.office?.label);
  expect(html).toContain(`href="${company.phones.office?.href}"`);
  expect(html).toContain(`href="${company.bookingUrl}"`);
  expect(headers).toEqual({ 'Auto-Submitted': 'auto-replied' });
});

test('the receipt greets without a name if a text does not look like one', async () => {
  const { text } = await contactReceipt({ ...message, name: 'Your account is locked: 0800 1' });
  expect(text).toContain('Hello,\n');
});

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
