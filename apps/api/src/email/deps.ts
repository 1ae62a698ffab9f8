import type { Deps as ServerDeps } from '../server/deps.ts';
import type { Outbox } from './outbox.ts';

/** What enqueues emails. */
export interface Deps extends ServerDeps {
  outbox: Pick<Outbox, 'wake'>;
  settings: ServerDeps['settings'] & {
    /** Who receives contact and career notices. */
    mailTo: string;
    /** What Resend signs its reports with; without it none are accepted. */
    resendWebhookSecret: string | undefined;
  };
}
