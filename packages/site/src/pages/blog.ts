import { company } from '../company.ts';
import { offers } from '../offers.ts';

const { bettyDemo } = company.phones;

/** What the pages of the blog say around the posts. Words that the spec quotes are kept to the letter. */
export const blog = {
  title: 'Blog',
  description: `Insights and updates from the team at ${company.name}.`,
  subtitle: 'Insights and updates from our team',
  archive: {
    title: 'All posts',
    description: 'Every post of our blog, month by month.',
    monthTitle: (month: string) => `Posts of ${month}`,
    monthDescription: (month: string) => `What we wrote in ${month}.`,
  },
  /** Below each post. */
  ending: {
    text: `Hear it for yourself: ${offers.betty.name} picks up, day and night.`,
    call: `Call ${offers.betty.name}: ${bettyDemo.label}`,
    href: bettyDemo.href,
  },
} as const;
