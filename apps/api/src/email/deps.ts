import type { Deps as ServerDeps } from '../server/deps.ts';
import type { Outbox } from './outbox.ts';

export interface Deps extends ServerDeps {
  outbox: Pick<Outbox, 'wake'>;
  settings: ServerDeps['settings'] & {
    emailTo: string;
    resendWebhookSecret: string | undefined;
  };
}
