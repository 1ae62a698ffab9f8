import { company } from '../company.ts';
import { offers } from '../offers.ts';
import type { Question } from '../questions.ts';

const { betty, consultation, customAi, emailReply, websiteRedesign } = offers;
/** In lowercase for use within a sentence, except acronyms such as “SEO”. */
const included = new Intl.ListFormat('en').format(
  websiteRedesign.includes.map((part) =>
    part.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()),
  ),
);
const session = `a ${consultation.length} session is ${consultation.price}`;

/** In the order of the page (spec §2), which runs from morning to night. */
export const home = {
  title: 'Someone answers, day and night',
  description: company.summary,

  hero: {
    heading: 'You’re up a ladder. Betty has the phone.',
    lead: `Betty answers every call to your business ${betty.availability}, schedules the appointment and answers the questions. A call at 9:40 pm becomes a job at 8:00 am.`,
    links: [
      { label: 'Discover More', path: '/services' },
      { label: 'Technical Recruiting', path: '/technical-recruiting' },
      { label: 'Contact Us', path: '/contact' },
    ],
  },

  call: {
    caption: 'How a call to Betty goes',
    state: 'Betty is on the line',
    time: 'Tuesday, 9:40 pm',
    lines: [
      { who: 'Caller', text: 'Hi, my water heater is leaking all over the basement.' },
      {
        who: offers.betty.name,
        text: 'I’m sorry to hear that. Is the valve on the cold water pipe shut?',
      },
      { who: 'Caller', text: 'It is now. Can somebody come out?' },
      { who: offers.betty.name, text: 'Tomorrow at 8:00 am is free. Should I put you down?' },
    ],
    job: {
      day: 'Wed',
      time: '8:00',
      what: 'Water heater, leaking',
      where: '14 Alder Street, valve is shut',
    },
    button: 'Call Betty:',
  },

  approach: {
    heading: 'First we listen to how your phone rings.',
    lead: 'You know your trade. We learn how your day runs before we build anything for it.',
    steps: [
      {
        name: 'Understand',
        text: 'Who calls, when, what they ask, and which jobs get away while your hands are full.',
        parts: [],
      },
      {
        name: 'Customize',
        text: 'We fit the tool to your trade: your hours, your streets, your words, your calendar.',
        parts: [],
      },
      {
        name: 'Implement',
        text: 'It goes to work:',
        parts: [
          `Betty in ${betty.timeline},`,
          `custom AI in ${customAi.timeline},`,
          `a redesign in ${websiteRedesign.timeline}.`,
        ],
      },
    ],
  },

  highlights: {
    heading: 'Three things we build. Start where it hurts.',
    betty: {
      name: 'Betty',
      text: `She answers your calls ${betty.availability}, schedules appointments and answers questions. Your week fills up while you work, and after you stop. Ready in ${betty.timeline}.`,
      link: { label: 'Meet Betty', path: '/services#betty' },
      /** `*` marks a job that was booked after hours. */
      calendar: {
        caption:
          'A week in a calendar that Betty fills: some jobs are booked by day, some at night.',
        days: [
          { name: 'Mon', jobs: ['Drain', 'Leak', '', 'Valve'] },
          { name: 'Tue', jobs: ['*Boiler', '', 'Drain', ''] },
          { name: 'Wed', jobs: ['*Heater', 'Filter', '', 'Sink'] },
          { name: 'Thu', jobs: ['', 'Flush', 'Toilet', ''] },
          { name: 'Fri', jobs: ['Sink', '', '', '*Bath'] },
        ],
        byDay: 'Booked by day',
        afterHours: 'Booked after hours',
      },
    },
    customAi: {
      name: 'Custom AI',
      text: `The desk work between two jobs: estimates, dispatch, replies to reviews. Built around how you already do it, in ${customAi.timeline}.`,
      link: { label: 'See Custom AI', path: '/services#custom-ai' },
      estimate: {
        caption: 'A voice note from the van becomes a drafted estimate.',
        from: 'Voice note from the van',
        note: '“Fifty gallon gas heater, new shutoff, haul the old one away. Half a day.”',
        title: 'Estimate',
        state: 'Draft',
        lines: [
          { what: 'Gas water heater, 50 gal', amount: '1' },
          { what: 'Shutoff valve', amount: '1' },
          { what: 'Haul away old unit', amount: '1' },
          { what: 'Labor', amount: '4 h' },
        ],
      },
    },
    websiteRedesign: {
      name: 'Website Redesign',
      text: `Try before you buy: you see the new site first. ${websiteRedesign.price} ${websiteRedesign.payment}, live ${websiteRedesign.launch}.`,
      link: { label: 'See Website Redesign', path: '/services#website-redesign' },
      pages: {
        caption: 'A plumber’s website before and after the redesign.',
        before: 'Before',
        after: 'After',
        old: {
          banner: 'WELCOME TO OUR HOMEPAGE',
          menu: 'Home Links Guestbook',
          photo: 'photo coming soon',
          note: 'Best viewed on a desktop computer',
        },
        fresh: {
          name: 'Alder Plumbing',
          promise: 'Burst pipe? Put a bucket under it and call.',
          button: 'Call now',
          free: 'Next free: today, 2:00 pm',
        },
      },
    },
  },

  day: {
    heading: 'Six calls on a Tuesday. You took none of them.',
    lead: 'Betty did. Nobody got voicemail, the calendar filled itself, and dinner stayed warm.',
    calls: [
      {
        time: '6:10 am',
        you: 'You’re loading the van.',
        caller: 'The boiler quit overnight.',
        result: 'Booked',
        detail: 'Today, 7:30 am',
      },
      {
        time: '9:25 am',
        you: 'You’re on the highway.',
        caller: 'Do you come out to Mill Creek?',
        result: 'Answered',
        detail: 'Yes, on weekdays',
      },
      {
        time: '11:50 am',
        you: 'You’re in a crawl space.',
        caller: 'My kitchen drain is backing up.',
        result: 'Booked',
        detail: 'Today, 2:00 pm',
      },
      {
        time: '3:15 pm',
        you: 'Both hands are under a sink.',
        caller: 'Do you work on tankless heaters?',
        result: 'Answered, then booked',
        detail: 'Thursday, 10:00 am',
      },
      {
        time: '6:30 pm',
        you: 'You’re at the dinner table.',
        caller: 'Could somebody price a new bathroom?',
        result: 'Booked',
        detail: 'Friday, 4:00 pm',
      },
      {
        time: '9:40 pm',
        you: 'You’re asleep on the couch.',
        caller: 'My water heater is leaking.',
        result: 'Booked',
        detail: 'Tomorrow, 8:00 am',
      },
    ],
  },

  questions: {
    heading: 'What people ask us at the kitchen table',
    list: [
      {
        question: 'What does Betty do when a customer calls?',
        answer: `She picks up, finds out what is wrong, schedules the appointment and answers questions about your business. She is there ${betty.availability}, so a call at 9:40 pm goes like one at 9:40 am.`,
      },
      {
        question: 'How soon can Betty answer my phone?',
        answer: `In ${betty.timeline}. We set her up with your hours, your area and your calendar first.`,
      },
      {
        question: 'What do you mean by custom AI?',
        answer: `A tool made for one job in your business, such as drafting estimates, filling the dispatch board or replying to reviews. It takes ${customAi.timeline}, depending on the job.`,
      },
      {
        question: 'What does a new website cost?',
        answer: `${websiteRedesign.price}, ${websiteRedesign.payment}. That covers ${included}. You try it before you buy it, and it launches ${websiteRedesign.launch}.`,
      },
      {
        question: 'Do you help with hiring, too?',
        answer:
          'Yes, with AI and ML engineers: we build talent pipelines, work on technical assessments with you and consult on recruiting strategy.',
      },
      {
        question: 'How do we start?',
        answer: `Book a meeting or send a message: ${session}, and emails are answered ${emailReply}. Or call Betty first and hear her for yourself.`,
      },
    ] satisfies Question[],
  },

  demo: {
    heading: 'Call Betty. She’s up.',
    lead: 'This is her demo line. Be your own worst customer and see how she takes it.',
    tryLabel: 'Try saying',
    sayings: [
      'My basement is filling up with water.',
      'Do you work on Saturdays?',
      'Can somebody come tomorrow morning?',
    ],
  },

  closing: {
    heading: 'Next time it rings after dark, someone is home.',
    text: `Tell us what gets away from you today. Emails are answered ${emailReply}, and ${session}.`,
    contact: 'Contact Us',
    book: 'Book a session',
  },
} as const;
