import { migrate } from '@app/db/migrate';
import { close, open } from '@app/db/open';
import { outbox as outboxTable } from '@app/db/schema/email';
import { onTestFinished } from 'vitest';
import { createOutbox, enqueueEmail } from '../email/outbox.ts';
import type { RenderEmail } from '../email/render.tsx';
import type { EmailTransport, OutboxEmail } from '../email/transport.ts';
import { renderEmail as renderWithTemplates } from '../email-worker.ts';
import { features } from '../features.ts';
import { createLog } from '../log.ts';
import { createHealth } from '../server/health/health.ts';
import { MovingClock } from './test-app.ts';

interface Options {
  keepLinks?: boolean;
  renderEmail?: RenderEmail;
}

/** A database with an outbox that renders emails with the real templates. */
export function openTestOutbox() {
  const db = open(':memory:');
  migrate(db);
  onTestFinished(() => close(db));
  const clock = new MovingClock();
  const log = createLog('silent');
  const health = createHealth(log);
  const openOutbox = (
    transport: EmailTransport,
    { keepLinks = false, renderEmail = renderWithTemplates }: Options = {},
  ) => {
    const parts = { db, clock, log, health, storage: { note: () => null }, renderEmail };
    const accountEmails = features.flatMap((feature) => feature.accountEmails ?? []);
    const outbox = createOutbox({ ...parts, accountEmails, transport, keepLinks });
    onTestFinished(() => outbox.stop());
    return outbox;
  };
  const enqueue = async (
    subject: string,
    to = 'ann@example.com',
    kind = 'newsletter-confirmation',
  ): Promise<void> => {
    const props = { link: 'https://site.example/auth', hours: 1 };
    const email = { kind, to, subject, props };
    db.transaction((tx) => enqueueEmail(tx, clock.now(), email));
  };
  const rows = async (): Promise<OutboxEmail[]> => db.select().from(outboxTable);
  const onlyRow = async (): Promise<OutboxEmail> => {
    const [row] = await rows();
    if (!row) throw new Error('the outbox is empty');
    return row;
  };
  return { db, clock, health, openOutbox, enqueue, rows, onlyRow };
}
