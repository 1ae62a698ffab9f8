import type { Deps as EmailDeps } from '../../email/deps.ts';
import type { Deps as SessionDeps } from '../sessions/deps.ts';
import type { GoogleSettings } from './settings.ts';

export interface Deps extends SessionDeps, EmailDeps {
  settings: EmailDeps['settings'] & { google: GoogleSettings | undefined };
}
