import { newsletterOutcomes } from '@app/site/pages/newsletter';

/** Pages that search engines are told to leave out: they are of use to one person only, or to none. */
export const unlistedPaths: readonly string[] = [
  '/404',
  '/auth',
  '/auth/cancel-email-change',
  '/auth/change-email',
  '/auth/confirm',
  '/auth/forgot',
  '/auth/reset',
  '/blog/editor',
  '/careers/again',
  '/contact/again',
  '/newsletter/confirm',
  '/newsletter/unsubscribe',
  '/profile',
  ...Object.keys(newsletterOutcomes).map((outcome) => `/newsletter/${outcome}`),
];
