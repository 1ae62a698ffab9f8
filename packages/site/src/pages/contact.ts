import { company } from '../company.ts';
import { offers } from '../offers.ts';
import type { Question } from '../questions.ts';

const { betty, customAi, websiteRedesign, consultation } = offers;
const { office, bettyDemo } = company.phones;
const session = `${consultation.price} ${consultation.length} session`;

interface ContactOption {
  readonly label: string;
  readonly text: string;
  readonly href: string;
  /** Shown after the link. */
  readonly note?: string;
}

const options: readonly ContactOption[] = [
  ...(office ? [{ label: 'Call us', text: office.label, href: office.href }] : []),
  { label: 'Hear Betty', text: bettyDemo.label, href: bettyDemo.href, note: betty.availability },
  {
    label: 'Write to us',
    text: company.mailboxes.hello,
    href: `mailto:${company.mailboxes.hello}`,
  },
  { label: 'Meet us', text: `Book a ${session}`, href: company.bookingUrl },
];

const questions: readonly Question[] = [
  {
    question: 'What should I write?',
    answer:
      'Your trade, and what gets away from you: calls after hours, estimates that go out late, a website nobody calls from. Two sentences are enough.',
  },
  {
    question: 'How soon will I hear back?',
    answer: `Emails are answered ${offers.emailReply}. To pick a time yourself, book a ${session} instead.`,
  },
  {
    question: 'Can I hear Betty before I write?',
    answer: `Yes. Call ${bettyDemo.label}. She is available ${betty.availability}, so try it from a noisy place and ask her what your customers ask you.`,
  },
  {
    question: 'How long until it works for me?',
    answer: `Betty takes ${betty.timeline}, custom AI ${customAi.timeline}, a website redesign ${websiteRedesign.timeline}. A redesigned website launches ${websiteRedesign.launch}.`,
  },
];

/** The form's texts are in ../forms/contact.ts. */
export const contact = {
  title: 'Contact',
  description: `Call, write or book a ${session} with ${company.name}. Emails are answered ${offers.emailReply}.`,
  heading: 'Let’s talk about your calls',
  lead: 'Tell us what you do and what gets away from you.',
  call: 'Or call us:',
  formHeading: 'Send a message',
  options: { heading: 'Or reach us another way', list: options },
  afterwards: {
    heading: `Then go back to work. We answer ${offers.emailReply}.`,
    steps: [
      { title: 'You press Send', text: 'Your message is saved first, then lands in our inbox.' },
      {
        title: 'We write back',
        text: `${capitalized(offers.emailReply)}, to the email address you gave.`,
      },
      {
        title: 'We talk, if you like',
        text: `A ${session}. You need nothing ready for it.`,
      },
    ],
    /** In the illustration. */
    phone: {
      time: '7:12',
      subject: 'Re: Missed calls',
      text: 'Thanks for writing. Which hours do they come in?',
      answer: 'After six, mostly.',
    },
    picture: 'A reply arrives on the phone in your van, parked on a street at dusk.',
  },
  faq: { heading: 'Before you write', questions },
  closing: {
    heading: 'The light is on.',
    text: `Ask us anything that is not answered here. If you would rather hear a voice, Betty picks up ${betty.availability}.`,
    action: 'Have more questions? Contact us directly',
    otherAction: `Call Betty: ${bettyDemo.label}`,
  },
} as const;

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
