import type { LiveReply } from '@app/contract/health';
import type { AppContext } from '../context.ts';

/** Reads nothing, so that a failing disk or database does not make the process look dead. */
export const live = (c: AppContext) => c.json({ status: 'live' } satisfies LiveReply);
