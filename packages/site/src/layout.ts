import { company } from './company.ts';
import { offers } from './offers.ts';

/** Around every page. */
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
  /** Of a page whose URL changed. */
  moved: 'This page has moved',
} as const;
