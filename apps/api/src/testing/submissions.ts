import type { SubmissionForm } from '@app/contract/forms/submit';
import { careerInquiries } from '@app/db/schema/forms/careers';
import { contactSubmissions } from '@app/db/schema/forms/contact';
import type { TestApp, TestBrowser } from './test-app.ts';

interface TestedForm {
  name: SubmissionForm;
  path: string;
  sent: { name: string; email: string; message: string };
  table: string;
  /** The kinds of emails per submission. */
  emails: string[];
  rows(testApp: TestApp): Promise<{ id: string; message: string; spamSignals: string[] | null }[]>;
}

export const testedForms: TestedForm[] = [
  {
    name: 'contact',
    path: '/api/contact',
    sent: { name: 'Vera Visitor', email: 'vera@example.com', message: 'Our phone rings all day.' },
    table: 'contact_submissions',
    emails: ['contact-notice', 'contact-receipt'],
    rows: async ({ deps }) => deps.db.select().from(contactSubmissions),
  },
  {
    name: 'careers',
    path: '/api/careers',
    sent: { name: 'Jo Maker', email: 'jo@example.com', message: 'I build things that listen.' },
    table: 'career_inquiries',
    emails: ['career-notice'],
    rows: async ({ deps }) => deps.db.select().from(careerInquiries),
  },
];

export const postWith = (
  browser: TestBrowser,
  path: string,
  body: object,
  headers: Record<string, string>,
): Promise<Response> =>
  browser.request('POST', path, {
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

export async function emailedKinds({ deps, emails }: TestApp): Promise<string[]> {
  await deps.outbox.drain();
  return emails.sent.map(({ kind }) => kind).sort();
}
