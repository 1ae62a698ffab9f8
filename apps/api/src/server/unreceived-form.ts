import type { RenderedPages } from '@app/contract/pages';
import type { AppContext } from './context.ts';
import type { Deps } from './deps.ts';
import { personalPage } from './rendered-page.ts';

type Reason = RenderedPages['unreceivedForm']['reason'];

const statusOf: Record<Reason, 408 | 413> = {
  'too-large': 413,
  'too-slow': 408,
};

/** Answers a form without JavaScript that cannot be shown again: its text was not received. */
export function unreceivedForm(
  c: AppContext,
  deps: Pick<Deps, 'renderer'>,
  reason: Reason,
): Promise<Response> {
  c.status(statusOf[reason]);
  return personalPage(
    c,
    deps,
    { kind: 'unreceivedForm', reason },
    {
      path: '/unreceived-form',
    },
  );
}
