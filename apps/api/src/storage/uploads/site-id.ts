import { hash } from 'node:crypto';
import type { Database } from '@app/db/open';
import { serverSecret } from '../../server/secrets.ts';

/** The same on every server that uses the database, and after a restore. Not a secret. */
export const siteIdOf = (db: Database): string =>
  hash('sha256', `site ${serverSecret(db, 'form-tokens')}`).slice(0, 32);
