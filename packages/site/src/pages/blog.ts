import { company } from '../company.ts';
import { offers } from '../offers.ts';

const { bettyDemo } = company.phones;

/** Texts quoted in the spec are verbatim. */
export const blog = {
  title: 'Blog',
  description: `Insights and updates from the team at ${company.name}.`,
  subtitle: 'Insights and updates from our team',
  archive: {
    title: 'All posts',
    description: 'Every post on our blog, month by month.',
    monthTitle: (month: string) => `Posts from ${month}`,
    monthDescription: (month: string) => `What we wrote in ${month}.`,
  },
  tags: {
    label: 'Tags',
    kicker: 'Posts tagged',
    title: (tag: string) => `Posts tagged “${tag}”`,
    description: (tag: string) => `Our latest posts with the tag “${tag}”.`,
    all: 'All of them, month by month',
    monthTitle: (tag: string, month: string) => `Posts tagged “${tag}”, ${month}`,
    monthDescription: (tag: string, month: string) =>
      `What we wrote in ${month} with the tag “${tag}”.`,
  },
  /** Below each post. */
  neighbors: { label: 'More posts', previous: 'Previous post', next: 'Next post' },
  feed: `${company.name} blog`,
  editor: {
    newDescription: 'Write a post for the blog.',
    editDescription: 'Edit a blog post.',
    editTitle: (post: string) => `Edit: ${post}`,
    editHeading: 'Edit Post',
  },
  /** The dialog that confirms a deletion. */
  deletion: {
    /** Text before and after the title. */
    heading: ['Delete “', '”?'],
    text: 'Links to it stop working at once. It can be restored from the trash for 30 days.',
    cancel: 'Keep it',
    submit: 'Delete post',
  },
  /** Shown to the author above the reason. */
  unrenderable: {
    heading: 'This post cannot be displayed',
    text: 'Visitors cannot see it. Edit it to put it back on the blog, or delete it.',
  },
  /** The table of contents. */
  outline: 'In this post',
  readingTime: (minutes: number) => `${minutes} min read`,
  /** Below each post. */
  ending: {
    text: `Hear it for yourself: ${offers.betty.name} picks up, day and night.`,
    call: `Call ${offers.betty.name}: ${bettyDemo.label}`,
    href: bettyDemo.href,
  },
} as const;
