import { company } from '../company.ts';
import { offers } from '../offers.ts';

interface Link {
  readonly label: string;
  /** Can have a fragment. */
  readonly path: string;
  readonly about: string;
}

interface Section {
  readonly heading: string;
  readonly links: readonly Link[];
}

const { betty, customAi, websiteRedesign, recruiting, consultation, emailReply } = offers;

/** Listed before the latest posts. */
const sections: readonly Section[] = [
  {
    heading: 'Services',
    links: [
      {
        label: 'All services',
        path: '/services',
        about: 'What is sold, how long it takes, what it costs, and questions with answers',
      },
      {
        label: betty.name,
        path: '/services#betty',
        about: `A voice assistant that answers calls ${betty.availability}, schedules appointments and answers questions; ready in ${betty.timeline}`,
      },
      {
        label: customAi.name,
        path: '/services#custom-ai',
        about: `AI tools made for one business; ready in ${customAi.timeline}`,
      },
      {
        label: websiteRedesign.name,
        path: '/services#website-redesign',
        about: `Try before you buy, ${websiteRedesign.price} ${websiteRedesign.payment}, ready in ${websiteRedesign.timeline}, launch ${websiteRedesign.launch}`,
      },
      {
        label: recruiting.name,
        path: '/technical-recruiting',
        about: 'AI and ML engineers: talent pipeline, technical assessment, recruiting advice',
      },
    ],
  },
  {
    heading: 'Company',
    links: [
      {
        label: 'About us',
        path: '/about',
        about: `Founded in ${company.founded}: how the company works and what it believes about AI`,
      },
      { label: 'Portfolio', path: '/portfolio', about: 'Websites and tools, live and coming soon' },
      {
        label: 'Contact',
        path: '/contact',
        about: `Phone, email and a form; emails get a reply ${emailReply}; a ${consultation.length} session is ${consultation.price}`,
      },
      { label: 'Careers', path: '/careers', about: 'Working here, and how to send a resume' },
    ],
  },
  {
    heading: 'Blog',
    links: [
      { label: 'Blog', path: '/blog', about: 'Insights and updates from the team' },
      {
        label: 'All posts',
        path: '/blog/archive',
        about: 'By month. With .md at the end of its URL, each post is Markdown',
      },
      {
        label: 'Feed',
        path: '/blog/feed.json',
        about: 'The latest posts in full text (JSON Feed); also as RSS and Atom',
      },
    ],
  },
];

const optional: Section = {
  heading: 'Optional',
  links: [
    {
      label: 'Privacy Policy',
      path: '/privacy-policy',
      about: 'What the site stores about people',
    },
    { label: 'Terms of Service', path: '/terms', about: 'For using the site' },
    {
      label: 'Cookie Policy',
      path: '/cookies',
      about: 'Everything the site stores in a browser',
    },
    {
      label: 'Accessibility',
      path: '/accessibility',
      about: 'WCAG 2.1 AA, and how to report a problem',
    },
    { label: 'Sitemap', path: '/sitemap', about: 'Every page, with a line about each' },
  ],
};

const { office } = company.phones;

/** Texts of /llms.txt (llmstxt.org). */
export const llms = {
  title: company.name,
  summary: company.summary,
  facts: [
    `Email: ${company.mailboxes.hello}`,
    ...(office ? [`Phone: ${office.label}`] : []),
    `Hear Betty: ${company.phones.bettyDemo.label}, ${betty.availability}`,
    `Book a session: ${company.bookingUrl}`,
  ],
  sections,
  latestPosts: 'Latest posts',
  optional,
} as const;
