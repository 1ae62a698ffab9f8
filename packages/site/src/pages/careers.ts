/** Headings quoted in the spec are verbatim. */
export const careers = {
  title: 'Careers',
  description:
    'What working here is like, the roles we expect to grow into, and how to leave your resume while we are not actively hiring.',
  heading: 'Careers',
  lead: 'We build what picks up the phone when the person with the answer is on a roof.',
  benefits: {
    heading: 'What working here is like',
    cards: [
      {
        title: 'Work That Matters',
        text: 'A burst pipe at 9:40 pm is somebody’s bad night. What you build decides whether anyone answers.',
      },
      {
        title: 'Growth & Learning',
        text: 'Speech, scheduling, search: you learn the craft, and the trade from the people who do it.',
      },
      {
        title: 'Work-Life Balance',
        text: 'Betty works the nights so that people don’t have to. That includes the people who build her.',
      },
      {
        title: 'Innovation Focus',
        text: 'We start from a call that got lost, not from a model that needs a use.',
      },
    ],
  },
  notHiring: {
    heading: "We're Not Actively Hiring Right Now",
    text: 'No role is open today. If this is the work you would choose anyway, drop your resume through the mail slot.',
  },
  future: {
    heading: 'Future Growth',
    lead: 'The next houses on our street. None is built yet; these are the plans.',
    roles: [
      { name: 'AI Engineers', work: 'Teach Betty to hear, think and book.' },
      { name: 'Data Scientists', work: 'Find out which calls go wrong, and why.' },
      { name: 'Product Managers', work: 'Turn a morning in a van into a plan.' },
      {
        name: 'Customer Success Specialists',
        work: 'Stay with a shop until no call goes unanswered.',
      },
    ],
  },
  closing: {
    heading: 'Rather ask first? Someone is home.',
    text: 'Write to us about the work, the team or a role you don’t see here.',
    action: 'Contact Us',
  },
} as const;
