import type { LiveReply } from '@app/contract/health';
import type { AppContext } from '../context.ts';

/** The process answers. Reads nothing, so that no disk or database can make it look dead. */
export const live = (c: AppContext) => c.json({ status: 'live' } satisfies LiveReply);
