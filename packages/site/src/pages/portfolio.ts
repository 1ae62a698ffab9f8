import { offers } from '../offers.ts';

const { betty, websiteRedesign: redesign, consultation } = offers;

export const portfolio = {
  title: 'Our Website Portfolio',
  description:
    'A home service website you can open and try today, and two products we are building: the Betty AI Assistant and the Contractor Hub.',
  lead: 'One is live, so open it on your phone and press everything. Two are still on the bench: drawings, for now.',
  comingSoon: 'Coming Soon',
  madeWith: 'Made with',
  website: {
    name: 'Home Service Website',
    text: 'A plumber’s page, built for the person standing in the water: what you fix, whether you’re open, and a number a thumb can reach.',
    tags: ['React', 'Tailwind'],
    demo: { label: 'Open the live demo', href: 'https://demo.fieldlight.example' },
    illustration: {
      caption: 'A browser that shows a plumber’s page with a phone number to press',
      address: 'demo.fieldlight.example',
      business: 'Alder Street Plumbing',
      headline: 'Water where it shouldn’t be?',
      line: 'Shut the valve. Then call. We pick up.',
      call: 'Call (555) 010-0117',
      open: 'Open now, day and night',
      jobs: ['Leaks and bursts', 'Water heaters', 'Drains'],
    },
  },
  betty: {
    name: 'Betty AI Assistant',
    text: `The voice that answers your calls ${betty.availability}, with a page of its own: every call, what was said, what was booked.`,
    tags: ['React', 'AI'],
    illustration: {
      caption: 'A phone that shows a call to Betty ending in a booked visit',
      status: 'Betty is on the line',
      time: '2:17',
      lines: ['There’s no heat upstairs.', 'Is 7:30 tomorrow all right?', 'Yes, please.'],
      booked: 'Thu 7:30, no heat upstairs',
    },
  },
  hub: {
    name: 'Contractor Hub',
    text: 'Jobs on the left, money on the right. A finished job becomes an invoice, and an invoice gets paid by card.',
    tags: ['React', 'Stripe'],
    illustration: {
      caption: 'A board on which jobs move from booked to done to paid',
      columns: [
        {
          name: 'Booked',
          cards: [
            { job: 'Water heater', detail: 'Wed 8:00, Alder St' },
            { job: 'Panel upgrade', detail: 'Thu 9:30, Mill Rd' },
            { job: 'Sump pump', detail: 'Fri 7:30, Oak Ln' },
          ],
        },
        {
          name: 'Done',
          cards: [{ job: 'Gutter repair', detail: 'Send the invoice' }],
        },
        {
          name: 'Paid',
          cards: [
            { job: 'Furnace tune-up', detail: 'Invoice 118, by card' },
            { job: 'Drain, kitchen', detail: 'Invoice 117, by card' },
          ],
        },
      ],
    },
  },
  closing: {
    heading: 'See your own site done over before you pay for it.',
    text: `A ${redesign.name.toLowerCase()} is try-before-you-buy: ${redesign.price}, ${redesign.payment}, and live ${redesign.launch}. The first conversation is ${consultation.price}.`,
    contact: 'Contact Us',
    services: 'All Services',
  },
} as const;
