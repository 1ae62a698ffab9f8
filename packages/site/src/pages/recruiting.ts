import { offers } from '../offers.ts';

const { recruiting: offer, betty, consultation, emailReply } = offers;
const [pipeline, timeToHire, replies, timeToOffer, filled] = offer.results;

/** Figures come from ../offers.ts. */
export const recruiting = {
  title: 'Technical recruiting for AI and ML teams',
  description: `We find AI and ML engineers who aren’t reading job ads, and help your team tell who is good. ${offer.startupsHelped} startups helped.`,
  service: {
    name: offer.name,
    description:
      'Talent pipeline development, technical assessment collaboration and strategic recruiting consulting for teams that hire AI and ML engineers.',
  },
  opening: {
    heading: 'Your next ML engineer isn’t looking. We are.',
    lead: 'The person you need has a job, and isn’t reading ads. We know where that work is done, write about your problem instead of your perks, and help your engineers tell who is good.',
    consult: `Schedule a ${consultation.price} ${consultation.length} consultation`,
  },
  results: {
    heading: `${offer.startupsHelped} startups helped. This is what it comes to.`,
    /** In the order of the hiring process. */
    stages: [
      { ...pipeline, note: 'People in AI and ML we know before your role exists.' },
      { ...replies, note: 'From people who weren’t looking.' },
      { ...timeToOffer, note: 'Good people don’t wait for a third committee.' },
      { ...filled, note: 'Signed, not shortlisted.' },
    ],
    /** Spans all stages. */
    whole: timeToHire,
    // The number of dots in the illustration, and how many of the last ones are highlighted.
    people: Number.parseInt(pipeline.figure, 10),
    hired: Number.parseInt(filled.figure, 10),
  },
  hiringOptions: {
    heading: 'Hand us the search, the test or the plan',
    pipeline: {
      name: 'Talent pipeline development',
      text: 'When a role is approved, it’s late to start meeting people. We find out who does this work, write to them one at a time, and stay in touch until it suits you both.',
      parts: [
        'A map of who already works on your kind of problem',
        'First messages written for one reader',
        'Follow-ups that know when to stop',
        'A list your team can read at any time',
      ],
    },
    assessment: {
      name: 'Technical assessment collaboration',
      text: 'You know what good looks like in your code. Together we turn it into a task, a scorecard and an interview that two people would score the same way.',
      parts: [
        'A task from your real work, short enough to be fair',
        'A scorecard agreed before the first interview',
        'Questions for your engineers, and what to listen for',
        'A debrief that ends in a yes or a no',
      ],
    },
    consulting: {
      name: 'Strategic recruiting consulting',
      text: 'Sometimes the search is fine and the role isn’t. We read your title, level, pay and steps the way a candidate does, and tell you what they won’t.',
      parts: [
        'Which hire comes first, and which can wait',
        'A role that an engineer reads to the end',
        'Fewer steps, with a date for each',
        'When to make the offer, and how',
      ],
    },
  },
  /** Fictional examples. */
  firstMessage: {
    caption: 'For example, a first message and what came back',
    to: 'To an engineer who isn’t looking',
    when: 'Tuesday, 8:50 am',
    message:
      'I read your post on why your ranking got slower as it got better. A small team has the same problem and nobody to own it. Worth a call?',
    reply: 'Not looking. But I do like that problem.',
    outcome: {
      day: 'Thu',
      time: '4:00',
      what: 'First call',
      detail: 'With your head of engineering',
    },
  },
  scorecard: {
    caption: 'For example, a scorecard that two people filled out separately',
    role: 'Search engineer, work sample',
    graders: ['You', 'Us'],
    marksOutOf: 4,
    /** For screen readers. */
    marksOf: (marks: number) => `${marks} of 4`,
    rows: [
      { skill: 'Frames the problem', marks: [4, 4] },
      { skill: 'Picks the right metric', marks: [3, 3] },
      { skill: 'Code you would merge', marks: [4, 2] },
      { skill: 'Explains the trade-off', marks: [3, 3] },
    ],
    differ: 'Talk this one through',
  },
  roleAd: {
    caption: 'For example, a job ad before and after',
    edits: [
      { before: 'AI rockstar', after: 'Machine learning engineer, search' },
      {
        before: '10 years of LLM experience',
        after: 'You’ve run a model in front of users.',
      },
      { before: 'A fast-paced environment', after: 'Three engineers. You’d be the fourth.' },
      { before: 'Seven rounds', after: 'One task, two conversations, an answer.' },
    ],
  },
  roles: {
    heading: 'The roles we fill',
    names: [
      { field: 'Machine learning', role: 'engineer' },
      { field: 'LLM and NLP', role: 'engineer' },
      { field: 'Research', role: 'scientist' },
      { field: 'Computer vision', role: 'engineer' },
      { field: 'MLOps', role: 'engineer' },
      { field: 'Speech', role: 'scientist' },
      { field: 'Data', role: 'engineer' },
      { field: 'AI product', role: 'manager' },
    ],
  },
  channels: {
    heading: 'Where we look',
    text: 'Wherever the work is done in the open, and someone can be seen doing it well.',
    list: [
      { name: 'Code hosts', look: 'Who fixes the libraries your team depends on.' },
      { name: 'Papers and preprints', look: 'Authors whose code still runs when you clone it.' },
      {
        name: 'Conferences and meetups',
        look: 'Who is still answering questions in the hallway.',
      },
      { name: 'Engineering communities', look: 'Who helps strangers, and is right.' },
      { name: 'Professional networks', look: 'What somebody shipped, not what the title says.' },
      { name: 'Referrals', look: 'The name that comes up twice, from people who never met.' },
    ],
  },
  standing: {
    heading: 'What you can hold us to',
    points: [
      {
        point: 'We build AI ourselves',
        text: `${betty.name} answers phones ${betty.availability}, and we make custom AI for businesses. We ask candidates about work we do.`,
      },
      {
        point: 'We know small teams',
        text: `${offer.startupsHelped} startups helped. When five people interview for a week, nobody builds.`,
      },
      {
        point: 'We count hires',
        text: `${filled.figure} ${filled.label}. A stack of résumés is not a result.`,
      },
      {
        point: 'We write back',
        text: `Every email is answered ${emailReply}. Silence is how good people get lost.`,
      },
    ],
    testimonials: {
      heading: 'Testimonials coming soon',
      text: 'This space is kept for people we’ve worked with: their words, under their names, once they’ve written them. We won’t fill it in for them.',
    },
  },
  closing: {
    heading: 'Who is missing from your team?',
    text: `Bring the role, or just the problem if there is no role yet. If you’d rather write, emails are answered ${emailReply}.`,
    book: 'Pick a time',
  },
} as const;
