import type { Page, Request } from 'playwright/test';
import { openDatabase } from './database.ts';
import { hydrated } from './hydrated.ts';

export interface ContactRow {
  name: string;
  email: string;
  phone: string;
  company: string;
  message: string;
  service: string;
}

export function contactRowsOf(dataDir: string, email: string): ContactRow[] {
  using db = openDatabase(dataDir);
  return db.$client
    .prepare<[string], ContactRow>(
      'SELECT name, email, phone, company, message, service FROM contact_submissions WHERE email = ?',
    )
    .all(email);
}

export function contactForm(page: Page) {
  const field = (name: string) => page.getByRole('textbox', { name });
  return {
    field,
    service: page.getByLabel('What is it about?'),
    send: page.getByRole('button', { name: 'Send message' }),
    sending: page.getByRole('button', { name: 'Sending...' }),
    stop: page.getByRole('button', { name: 'Stop waiting' }),
    toast: page.locator('.toast:popover-open'),
    shown: (text: string | RegExp) => page.getByText(text).filter({ visible: true }),
    async fill(email: string, message = 'The phone rings.') {
      await field('Full Name').fill('Vera Visitor');
      await field('Email').fill(email);
      await field('Message').fill(message);
      await hydrated(page, field('Message'));
    },
    hydrated: () => hydrated(page, field('Message')),
  };
}

export function listenToPosts(page: Page, path: string) {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === path) {
      requests.push(request);
    }
  });
  return {
    requests,
    keys: () => requests.map((request) => request.headers()['idempotency-key']),
  };
}

export const refusal = (status: number, code: string, detail = 'Please try again later.') => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ code, status, detail }),
});
