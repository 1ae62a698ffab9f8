import type { NewEmail } from '../email/outbox.ts';
import type { EmailBodies } from '../email/render.tsx';
import type { OutboxEmail, OutgoingEmail } from '../email/transport.ts';
import { renderEmail } from '../email-worker.ts';

const facts = {
  id: '6f2c1d9e-0000-4000-8000-000000000001',
  kind: 'contact-notice',
  to: 'owner@example.com',
  replyTo: 'ann@example.com',
  subject: 'Message from Ann',
  headers: null,
  state: 'queued',
  attempts: 1,
  nextAttemptAt: 0,
  lastError: null,
  sentAt: null,
  createdAt: Date.parse('2026-03-01T12:00:00Z'),
} as const;

export const makeOutboxEmail = (change: Partial<OutboxEmail> = {}): OutboxEmail => ({
  ...facts,
  props: {
    name: 'Ann',
    email: 'ann@example.com',
    phone: null,
    company: null,
    about: 'A demo',
    message: 'The boiler is out.',
  },
  ...change,
});

export const makeEmail = (change: Partial<OutgoingEmail> = {}): OutgoingEmail => ({
  ...facts,
  text: 'The boiler is out.\n\nhttps://example.com/confirm?token=abc',
  html: '<p>The boiler is out.</p>',
  ...change,
});

/** Unusual, but valid in HTML's email fields. */
export const unusualAddresses: readonly string[] = [
  "pat.o'brien@example.com",
  'info@xn--mller-kva.example',
  'a@x.xn--p1ai',
  'user&co@example.com',
  "=!#$%&'*+/?^_`{|}~-.@example.com",
  'ann@localhost',
];

export const from = 'Fieldlight AI <hello@fieldlight.example>';

export async function render(email: NewEmail): Promise<NewEmail & EmailBodies> {
  const bodies = await renderEmail(email);
  if ('problem' in bodies) throw new Error(bodies.problem);
  return { ...email, ...bodies };
}
