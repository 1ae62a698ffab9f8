import type { Deps as EmailDeps } from '../../email/deps.ts';
import type { Deps as SessionDeps } from '../sessions/deps.ts';
import type { AuthoringSettings } from '../sessions/permissions.ts';
import type { Passwords } from './passwords.ts';

export interface Deps extends SessionDeps, EmailDeps {
  passwords: Passwords;
  settings: EmailDeps['settings'] & AuthoringSettings;
}
