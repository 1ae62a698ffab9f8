import { company } from '../company.ts';
import { offers } from '../offers.ts';
import type { Question } from '../questions.ts';

const { office } = company.phones;

const questions: readonly Question[] = [
  {
    question: 'Which standard do you follow?',
    answer:
      'The Web Content Accessibility Guidelines (WCAG) 2.1 at level AA, in the light and in the dark theme alike. For us that is the minimum: where we can do better, we do.',
  },
  {
    question: 'Can I use the site with the keyboard alone?',
    answer:
      'Yes. Tab moves forward, Shift+Tab moves back, Enter follows a link or presses a button, Escape closes a menu. What has the focus has a thick outline, and the first stop on every page is a link past the menu.',
  },
  {
    question: 'Can I make the text larger, or choose my own colors?',
    answer:
      'Yes. Zoom with your browser to 200% and beyond: the page reflows and nothing has to be scrolled sideways. Choose the light or the dark theme with the lamp at the top, and if your system uses high-contrast colors of its own, the site uses those.',
  },
  {
    question: 'What if something does not work for me?',
    answer: `Tell us which page it was and what you use to read it, by email, by phone or with the contact form. Emails get a reply ${offers.emailReply}. If a page stands in your way, we will give you what is on it by phone or email.`,
  },
];

export const accessibility = {
  title: 'Accessibility',
  description: `How ${company.name} makes its website usable for everybody: WCAG 2.1 AA, keyboard, both themes, zoom, and no need for scripts.`,
  heading: 'The door opens for everyone',
  lead: 'We are committed to meeting the Web Content Accessibility Guidelines (WCAG) 2.1 at level AA, on every page and in both themes. If something keeps you out, it is our job to fix it.',
  features: {
    heading: 'What you can count on',
    keyboard: {
      heading: 'No mouse needed',
      text: 'Everything that can be clicked can be reached and pressed with the keyboard, and you always see where you are. Try it: the Tab key takes you first to “Skip to content”.',
      key: 'Tab',
      stops: ['Skip to content', 'Services', 'Contact'],
    },
    themes: {
      heading: 'Readable by day and by night',
      text: 'In both themes, text contrasts with its background by 4.5 to 1 or more, and nothing depends on color alone. Your system’s high-contrast colors work too.',
      sample: 'Someone is home.',
      names: ['Light', 'Dark'],
    },
    zoom: {
      heading: 'As large as you like, and calm',
      text: 'At 200% zoom nothing is cut off and nothing scrolls sideways. If your device asks for less motion, there is less.',
      letters: 'Aa',
      sizes: ['100%', '200%'],
    },
    scripts: {
      heading: 'Works with what you have',
      text: 'Pages are plain HTML with headings, landmarks and labels that screen readers know. Reading, menus and forms work without scripts.',
      outline: ['Banner', 'Main', 'Heading 1', 'Heading 2', 'Content information'],
    },
  },
  questionsHeading: 'Questions about access',
  questions,
  contact: {
    heading: 'Tell us what stands in your way',
    text: `Say it the way that is easiest for you. Emails get a reply ${offers.emailReply}.`,
    options: [
      { how: 'Write', label: company.mailboxes.hello, href: `mailto:${company.mailboxes.hello}` },
      ...(office ? [{ how: 'Call', label: office.label, href: office.href }] : []),
      { how: 'Send a message', label: 'The contact form', href: '/contact' },
    ],
  },
} as const;
