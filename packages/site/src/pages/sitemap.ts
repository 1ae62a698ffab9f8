import { company } from '../company.ts';
import { offers } from '../offers.ts';
import type { Text } from '../text.ts';

interface SitemapEntry {
  readonly label: string;
  /** A path or a URL. */
  readonly href: string;
  readonly about: Text;
}

interface SitemapGroup {
  readonly label: string;
  readonly entries: readonly SitemapEntry[];
}

const main: SitemapGroup = {
  label: 'Main',
  entries: [
    { label: 'Home', href: '/', about: 'What happens when Betty has the phone.' },
    {
      label: 'About us',
      href: '/about',
      about: `Who we are, since ${company.founded}, and how we work.`,
    },
    {
      label: 'Services',
      href: '/services',
      about: [
        'What we sell, how long it takes, what it costs. ',
        { label: 'Technical recruiting', href: '/technical-recruiting' },
        ' has a page of its own.',
      ],
    },
    { label: 'Portfolio', href: '/portfolio', about: 'Websites and tools, live and coming soon.' },
    {
      label: 'Blog',
      href: '/blog',
      about: [
        'Insights and updates from our team, newest first, and ',
        { label: 'all posts by month', href: '/blog/archive' },
        '.',
      ],
    },
    {
      label: 'Contact',
      href: '/contact',
      about: `Call, write or send a message. Emails get a reply ${offers.emailReply}.`,
    },
  ],
};

const utility: SitemapGroup = {
  label: 'Utility',
  entries: [
    { label: 'Sign In', href: '/auth', about: 'For those who write here, and for new accounts.' },
    { label: 'Sitemap', href: '/sitemap', about: 'Where you are now.' },
    {
      label: 'Accessibility',
      href: '/accessibility',
      about: 'What the site does so that everybody can use it.',
    },
    {
      label: 'Careers',
      href: '/careers',
      about: 'What it’s like to work here, and where to write.',
    },
  ],
};

const legal: SitemapGroup = {
  label: 'Legal',
  entries: [
    {
      label: 'Privacy Policy',
      href: '/privacy-policy',
      about: 'What the site collects about you and how it is used.',
    },
    {
      label: 'Terms of Service',
      href: '/terms',
      about: 'What you and we can expect of each other.',
    },
    {
      label: 'Cookie Policy',
      href: '/cookies',
      about: 'Everything the site stores in your browser.',
    },
  ],
};

const elsewhere: SitemapGroup = {
  label: 'Elsewhere',
  entries: [
    {
      label: 'Booking calendar',
      href: company.bookingUrl,
      about: `Pick a time for a ${offers.consultation.price} ${offers.consultation.length} session.`,
    },
    ...company.social.map(({ label, href }) => ({
      label,
      href,
      about: `${company.name} on ${label}.`,
    })),
  ],
};

export const sitemap = {
  title: 'Sitemap',
  description: `Every page of the ${company.name} website on one page, with a line about what is there.`,
  lead: 'Every door on this street, and what is behind it.',
  groups: [main, utility, legal, elsewhere],
} as const;
