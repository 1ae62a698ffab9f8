import type { Database } from '@app/db/open';
import { asc, eq } from 'drizzle-orm';
import { toIso } from '../../clock.ts';
import type { Form, FormValues } from './form.ts';

/**
 * Forms sent with the address of an account, which is confirmed, for its export. All that was typed,
 * so that a new field of a form is not left out.
 */
export const sentForms = (db: Database, { table }: Form<FormValues>, email: string) =>
  db
    .select()
    .from(table)
    .where(eq(table.email, email))
    .orderBy(asc(table.createdAt))
    .all()
    .map(({ id, email: _, spamSignals, createdAt, ...typed }) => ({
      ...typed,
      sentAt: toIso(createdAt),
    }));
