import type { Database } from '@app/db/open';
import { asc, eq } from 'drizzle-orm';
import { toIso } from '../../clock.ts';
import type { Form, FormValues } from './form.ts';

/**
 * The forms that were sent with the confirmed address of an account, for its export. Includes all
 * columns, so that a new field of a form is not left out.
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
