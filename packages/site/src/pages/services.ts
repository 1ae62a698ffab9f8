import { company } from '../company.ts';
import { offers } from '../offers.ts';
import type { Question } from '../questions.ts';

const { betty, customAi, websiteRedesign, recruiting, consultation, emailReply } = offers;
const session = `${consultation.length} session`;
const [redesign, seo, migration, mobile, support] = websiteRedesign.includes;

const questions: readonly Question[] = [
  {
    question: 'Can I hear Betty before I decide?',
    answer: `Yes. Call ${company.phones.bettyDemo.label}, ${betty.availability}, as your customers would.`,
  },
  {
    question: 'How long until Betty answers our phone?',
    answer: `${betty.timeline}. She learns your hours, your area and what counts as an emergency.`,
  },
  {
    question: 'What do Betty and custom AI cost?',
    answer: `That depends on what you need, so we talk first. A ${session} is ${consultation.price}.`,
  },
  {
    question: 'How long does a custom AI project take?',
    answer: `${customAi.timeline}. We start from how you do the job today.`,
  },
  {
    question: 'What does try before you buy mean?',
    answer: 'We redesign it first, and you try it on your phone. You buy it if you like it.',
  },
  {
    question: `What do I get for ${websiteRedesign.price}?`,
    answer: `The redesign, ${seo}, content migration, mobile optimization and ${support}. It is a ${websiteRedesign.payment} price.`,
  },
  {
    question: 'When is my new website live?',
    answer: `A redesign takes ${websiteRedesign.timeline}. Once you say yes, it launches ${websiteRedesign.launch}.`,
  },
  {
    question: 'How do we start?',
    answer: `Write to us or book a session. A ${session} is ${consultation.price}, and emails are answered ${emailReply}.`,
  },
];

/** A day of the illustrated calendar. */
export interface Day {
  name: string;
  jobs: readonly { rows: 1 | 2 | 3 | 4; what?: string; isNew?: true }[];
}

export const servicesPage = {
  title: 'Services: Betty, custom AI and website redesigns',
  description: `Betty answers your phone ${betty.availability}, custom AI does the desk work, and you see your ${websiteRedesign.price} website redesign before you buy it.`,
  heading: ['You do the work.', 'We take the phone, the desk and the website.'],

  /** In the order of the page. */
  overview: [
    {
      path: '/services#betty',
      name: betty.name,
      says: 'Answers every call and books the job',
      terms: `Ready in ${betty.timeline}`,
    },
    {
      path: '/services#custom-ai',
      name: 'Custom AI',
      says: 'Does the desk work you do at night',
      terms: `Built in ${customAi.timeline}`,
    },
    {
      path: '/services#website-redesign',
      name: websiteRedesign.name,
      says: 'See it before you buy it',
      terms: `${websiteRedesign.price}, ${websiteRedesign.timeline}`,
    },
    {
      path: '/technical-recruiting',
      name: recruiting.name,
      says: 'AI and ML engineers for your team',
      terms: '',
    },
  ],

  betty: {
    heading: 'Betty answers. The job is in your calendar.',
    intro: `Betty is the voice on your phone, ${betty.availability}. Here is one call, from the first ring to your first coffee.`,
    ready: `Ready in ${betty.timeline}`,
    call: `Call Betty: ${company.phones.bettyDemo.label}`,
    /** In the order of a call. */
    features: [
      {
        at: '9:40 pm',
        name: `Answers ${betty.availability}`,
        text: 'Nights, weekends, while you are in a crawl space.',
      },
      {
        at: '9:41 pm',
        name: 'Asks what you would ask',
        text: 'What is leaking, and is the water off? Name and address, too.',
      },
      {
        at: '9:42 pm',
        name: 'Answers questions',
        text: 'Your hours, your service area, what you repair and what you don’t.',
      },
      {
        at: '9:43 pm',
        name: 'Knows what can’t wait',
        text: 'A burst pipe is not a dripping faucet. You say which is which.',
      },
      {
        at: '9:44 pm',
        name: 'Schedules the appointment',
        text: 'She offers a time that is free in your calendar and puts the job there.',
      },
      {
        at: '6:30 am',
        name: 'Writes it down',
        text: 'You read one short note over coffee. No voicemail to play back.',
      },
    ],
    /** The illustrated week. */
    week: {
      caption: 'Betty’s note of a call on Tuesday night, and its job on Wednesday',
      hours: ['8 am', '10 am', '12 pm', '2 pm', '4 pm'],
      /** From 8 am, in rows of two hours. Free rows at the end are omitted. */
      days: [
        {
          name: 'Mon',
          jobs: [{ rows: 2, what: 'Boiler service' }, { rows: 1 }, { rows: 1, what: 'Sump pump' }],
        },
        {
          name: 'Tue',
          jobs: [{ rows: 1, what: 'Gas test' }, { rows: 1 }, { rows: 3, what: 'Rough-in' }],
        },
        {
          name: 'Wed',
          jobs: [
            { rows: 1, what: 'Water heater', isNew: true },
            { rows: 1, what: 'Drain line' },
            { rows: 1 },
            { rows: 2, what: 'Repipe' },
          ],
        },
        { name: 'Thu', jobs: [{ rows: 4, what: 'Repipe' }] },
        {
          name: 'Fri',
          jobs: [{ rows: 1, what: 'Faucet' }, { rows: 1 }, { rows: 2, what: 'Inspection' }],
        },
      ] satisfies readonly Day[],
      note: {
        heading: 'Tuesday, 9:40 pm',
        outcome: 'Booked: Wed 8:00 am',
        text: 'Water heater leaking in the basement, 14 Alder Street. Cold valve is shut, so it can wait for morning. Gas, 50 gallon. Use the side door: there is a dog.',
      },
    },
  },

  customAi: {
    heading: 'Custom AI for the work you do after work',
    intro:
      'Quotes at the kitchen table, replies on Sunday night. Tell us what eats your evenings, and we build the tool that does it.',
    ready: `Built in ${customAi.timeline}`,
    /** The illustrated estimate. */
    estimate: {
      caption: 'A voice note from the job becomes an estimate',
      spokenAt: '8:52 am, in the basement',
      spoken:
        'Tank’s rusted through. Fifty gallon gas, expansion tank, shutoff valve, fittings. Four hours. We haul the old one away.',
      heading: 'Estimate, 14 Alder Street',
      state: 'Draft',
      /** In dollars. */
      lines: [
        { what: 'Water heater, gas, 50 gal', dollars: 1180 },
        { what: 'Expansion tank', dollars: 95 },
        { what: 'Shutoff valve and fittings', dollars: 70 },
        { what: 'Labor, 4 h', dollars: 480 },
        { what: 'Haul away old heater', dollars: 60 },
      ],
      total: 'Total',
      waits: 'From your price list. Waits for your OK.',
    },
    columns: { input: 'You have', output: 'You get' },
    applications: [
      {
        name: 'Estimates',
        input: 'A voice note and two photos',
        output: 'Line items, prices and a total to check and send',
      },
      {
        name: 'Dispatch',
        input: 'Tomorrow’s jobs, three vans, one tech out sick',
        output: 'A board that fits skills, parts and drive time',
      },
      {
        name: 'Review replies',
        input: 'A new review, kind or not',
        output: 'An answer in your tone, ready to post',
      },
      {
        name: 'Unpaid invoices',
        input: 'A stack that is past due',
        output: 'A polite reminder for each, written and waiting',
      },
      {
        name: 'Manuals',
        input: 'A furnace that blinks code 33',
        output: 'The page that explains it, on your tech’s phone',
      },
      {
        name: 'Service reminders',
        input: 'Ten years of old work orders',
        output: 'Who is due this month, and a message to each',
      },
    ],
  },

  redesign: {
    heading: 'A website you see before you buy it',
    intro:
      'Your next customer has water on the floor and one free hand. Your old page makes them look for the number. The new one puts it under their thumb.',
    comparison: {
      caption: 'One plumber’s page, before and after. An example of ours, not a customer.',
      divider: 'Divider between the old page and the new one',
      before: 'Before',
      after: 'After',
      /** For screen readers: “40% old page, 60% new page”. */
      shares: { before: 'old page', after: 'new page' },
      oldPage: {
        banner: 'Brook & Son Plumbing',
        links: ['Home', 'About Us', 'Services', 'Coupons', 'Guestbook'],
        welcome: 'Welcome to our web site!',
        paragraphs: [
          'This site is best viewed at 1024 x 768.',
          'For an appointment send us a fax.',
          'Last updated 03/14/2009',
        ],
      },
      newPage: {
        name: 'Brook & Son Plumbing',
        heading: 'Leak? We’re on our way.',
        call: 'Call now',
        aside: 'Day or night. Or pick a time.',
        jobs: ['Leaks', 'Water heaters', 'Drains'],
      },
    },
    trial: {
      heading: 'Try before you buy',
      steps: [
        {
          name: 'We redesign it',
          text: `Your name, your jobs, your photos. It takes ${websiteRedesign.timeline}.`,
        },
        { name: 'You try it', text: 'On your own phone, in your own driveway. Say what’s off.' },
        {
          name: 'You decide',
          text: `Approve it, and it launches ${websiteRedesign.launch}.`,
        },
      ],
    },
    price: websiteRedesign.price,
    payment: websiteRedesign.payment,
    ask: 'Ask for your redesign',
    features: [
      { name: redesign, text: 'Every page rebuilt around what your callers need first.' },
      { name: seo, text: 'Towns and services in the words your neighbors search for.' },
      { name: migration, text: 'Your text, photos and pages move over. You retype nothing.' },
      { name: mobile, text: 'Easy to read and tap, on the oldest phone on the street.' },
      { name: support, text: 'Something to change? Write, and we change it.' },
      {
        name: `Launch ${websiteRedesign.launch}`,
        text: 'Yes on Monday, live on Wednesday.',
      },
    ],
  },

  recruiting: {
    text: 'Building your own team? We also find AI and ML engineers.',
    link: recruiting.name,
  },

  questions: { heading: 'Questions and answers', list: questions },

  closing: {
    heading: 'What rings, piles up or looks old?',
    text: `Tell us. A ${session} is ${consultation.price}, and emails are answered ${emailReply}.`,
    contact: 'Contact Us',
    book: 'Book a session',
  },
} as const;
