import type { Deps as ServerDeps } from '../server/deps.ts';
import type { Outbox } from './outbox.ts';

export interface Deps extends ServerDeps {
  outbox: Pick<Outbox, 'wake'>;
  settings: ServerDeps['settings'] & {
    /** Who receives contact and career notices. */
    mailTo: string;
    /** Undefined disables the webhook. */
    resendWebhookSecret: string | undefined;
  };
}
