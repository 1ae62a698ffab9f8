import { google } from './accounts/google/feature.ts';
import { profile } from './accounts/profile/feature.ts';
import { sessions } from './accounts/sessions/feature.ts';
import { settings } from './accounts/settings/feature.ts';
import { signIn } from './accounts/sign-in/feature.ts';
import { blog } from './blog/feature.ts';
import { clientErrors } from './client-errors/feature.ts';
import type { Deps } from './deps.ts';
import { doctor } from './doctor/feature.ts';
import { email } from './email/feature.ts';
import type { Feature } from './feature.ts';
import { careers } from './forms/careers/feature.ts';
import { contact } from './forms/contact/feature.ts';
import { newsletter } from './forms/newsletter/feature.ts';
import { submit } from './forms/submit/feature.ts';
import { publishing } from './publishing/feature.ts';
import { server } from './server/feature.ts';
import { metrics } from './server/metrics/feature.ts';
import { siteExport } from './site-export/feature.ts';
import { backup } from './storage/backup/feature.ts';
import { move } from './storage/move/feature.ts';
import { update } from './storage/update/feature.ts';
import { uploads } from './storage/uploads/feature.ts';

export const features: readonly Feature<Deps>[] = [
  signIn,
  sessions,
  settings,
  google,
  profile,
  blog,
  publishing,
  submit,
  contact,
  careers,
  newsletter,
  email,
  doctor,
  server,
  clientErrors,
  metrics,
  backup,
  uploads,
  move,
  siteExport,
  update,
];
