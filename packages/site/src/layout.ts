import { company } from './company.ts';
import { offers } from './offers.ts';

/** Header and footer of every page. */
export const layout = {
  skip: 'Skip to content',
  menu: 'Menu',
  navigation: 'Main',
  call: `Call ${offers.betty.name}: ${company.phones.bettyDemo.label}`,
  account: 'Your account',
  theme: {
    label: 'Theme',
    choices: [
      { value: 'light', label: 'Light' },
      { value: 'dark', label: 'Dark' },
      { value: 'system', label: 'System' },
    ],
  },
  contact: { heading: 'Contact', message: 'Send a message', meeting: 'Book a meeting' },
  copyright: `© ${company.copyrightYear} ${company.name}. All rights reserved.`,
  signIn: 'Admin Sign In',
  /** The title of a page that redirects to a new URL. */
  moved: 'This page has moved',
} as const;
