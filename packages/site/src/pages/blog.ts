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
  trash: {
    description: 'Deleted posts that can be restored.',
    intro: (days: number) => `Deleted posts can be restored for ${days} days.`,
    empty: { title: 'The trash is empty', text: 'Deleted posts appear here.' },
    /** @param date such as March 1, 2026 */
    deletedBy: (writer: string, date: string) => `Deleted by ${writer} on ${date}`,
    you: 'you',
    someone: 'another writer',
    restorableUntil: (date: string) => `Can be restored until ${date}`,
    published: 'Published',
    restore: 'Restore',
    erase: 'Delete forever',
    erasure: {
      heading: ['Delete “', '” forever?'],
      text: 'Its text will be lost. This cannot be undone.',
      cancel: 'Keep it',
      submit: 'Delete forever',
    },
    isBack: (title: string) => `“${title}” is back`,
    isPublished: 'It is published, as it was.',
    isDraft: 'It is a draft, as it was.',
    open: 'Open the post',
    erased: 'The post was deleted forever.',
    failed: {
      title: 'The post was not changed',
      description:
        'It may already have been restored or deleted, or your account has reached a limit. Please try again later.',
    },
    older: 'Deleted earlier',
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
