import { randomUUID } from 'node:crypto';
import type { Database } from '@app/db/open';
import type { Delivery, EmailProvider } from '../support/email-provider.ts';

const domain = '@visitors.example.com';

const forms = [
  {
    path: '/api/contact',
    table: 'contact_submissions',
    kinds: ['contact-notice', 'contact-receipt'],
    body: (visitor: string) => ({ message: `The boiler of ${visitor} is out.` }),
  },
  {
    path: '/api/careers',
    table: 'career_inquiries',
    kinds: ['career-notice'],
    body: (visitor: string) => ({ message: `${visitor} has repaired boilers for ten years.` }),
  },
  {
    path: '/api/newsletter',
    table: 'newsletter_subscriptions',
    kinds: ['newsletter-confirmation'],
    body: () => ({}),
  },
  {
    path: '/api/auth/sign-up',
    table: 'users',
    kinds: ['confirmation'],
    body: () => ({ password: 'correct horse battery' }),
  },
] as const;

type Form = (typeof forms)[number];

export interface Visit {
  visitor: string;
  form: Form;
}

const formOf = (n: number): Form => forms[n % 2 === 0 ? 0 : 1 + (((n - 1) / 2) % 3)] ?? forms[0];

/** The request of a visit, which is the same for each retry. */
interface FormRequest {
  path: string;
  headers: Record<string, string>;
  body: object;
}

export class Visitors {
  readonly sent: Visit[] = [];
  readonly acknowledged: Visit[] = [];

  async write(url: string, isGone: () => boolean, notice: () => void): Promise<void> {
    while (!isGone()) await this.writeOne(url, notice);
  }

  next(): Visit {
    const n = this.sent.length;
    const visit = { visitor: `visitor-${n}`, form: formOf(n) };
    this.sent.push(visit);
    return visit;
  }

  async writeOne(url: string, notice: () => void): Promise<void> {
    const visit = this.next();
    const { path, headers, body } = formRequest(visit);
    const reply = fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: url, ...headers },
      body: JSON.stringify(body),
    });
    notice();
    const response = await reply.catch((error: unknown) => {
      // fetch throws a TypeError when the connection breaks.
      if (error instanceof TypeError) return null;
      throw error;
    });
    if (response && !response.ok) {
      throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
    }
    if (response) this.acknowledged.push(visit);
    notice();
  }
}

const isNamed = ({ table }: Form): boolean =>
  table === 'contact_submissions' || table === 'career_inquiries';

export function formRequest({ visitor, form }: Visit): FormRequest {
  return {
    path: form.path,
    headers: { 'Idempotency-Key': randomUUID() },
    body: {
      ...(isNamed(form) && { name: visitor }),
      email: visitor + domain,
      ...form.body(visitor),
    },
  };
}

/** Whether the API stores a retried request once. For other forms, a retry sends another email. */
export const isRepeatable = ({ form }: Visit): boolean => isNamed(form);

/** Acknowledged forms that are not stored, and stored forms that nobody sent or that are duplicates. */
export function lostWrites(db: Database, { sent, acknowledged }: Visitors): string[] {
  return forms.flatMap((form) => {
    const stored = db.$client
      .prepare<[string], string>(`SELECT email FROM ${form.table} WHERE email LIKE ?`)
      .pluck()
      .all(`%${domain}`)
      .map((email) => email.replace(domain, ''));
    const of = (visits: readonly Visit[]) =>
      new Set(visits.filter((visit) => visit.form === form).map(({ visitor }) => visitor));
    const known = new Set(stored);
    return [
      ...[...of(acknowledged).difference(known)].map((visitor) => `${form.path} of ${visitor}`),
      ...[...known.difference(of(sent))].map(
        (visitor) => `${form.path} that nobody sent: ${visitor}`,
      ),
      ...(known.size < stored.length ? [`${form.path} has duplicate rows`] : []),
    ];
  });
}

const visitorOf = ({ to, reply_to }: Delivery): string =>
  [to, reply_to].find((address) => address?.endsWith(domain))?.replace(domain, '') ?? '';

/** Problems unless each email of each stored form was delivered exactly once. */
export function emailProblems(db: Database, { delivered }: EmailProvider): string[] {
  const client = db.$client;
  const rows = client
    .prepare<[], { id: string; kind: string; state: string; last_error: string | null }>(
      'SELECT id, kind, state, last_error FROM outbox',
    )
    .all();
  const kinds = new Map(rows.map(({ id, kind }) => [id, kind]));
  const problems = rows
    .filter(({ state }) => state !== 'sent')
    .map(({ kind, state, last_error: error }) => `an email is ${state}: ${kind}, ${error}`);
  for (const form of forms) {
    const stored = client
      .prepare<[string], string>(`SELECT email FROM ${form.table} WHERE email LIKE ?`)
      .pluck()
      .all(`%${domain}`)
      .map((email) => email.replace(domain, ''))
      .sort();
    for (const kind of form.kinds) {
      const about = delivered
        .filter(({ key }) => kinds.get(key) === kind)
        .map(visitorOf)
        .sort();
      if (String(about) === String(stored)) continue;
      const [sent, wanted] = [new Set(about), new Set(stored)];
      problems.push(
        `${kind}: ${about.length} delivered for ${stored.length} stored, ${[...wanted.difference(sent)].length} missing, ${about.length - sent.size} twice`,
      );
    }
  }
  if (delivered.length !== kinds.size) {
    problems.push(`${delivered.length} emails were delivered, and ${kinds.size} are stored`);
  }
  return problems;
}
