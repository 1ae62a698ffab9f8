import { formatPrice, type Price } from './price.ts';

const redesignPrice: Price = { amount: 2499, currency: 'USD' };

/** Products and claims (spec §9). Pages quote these figures and no others. */
export const offers = {
  betty: {
    name: 'Betty',
    availability: '24/7',
    timeline: '1-2 weeks',
  },
  customAi: {
    name: 'Custom AI solutions',
    timeline: '3-8 weeks',
  },
  websiteRedesign: {
    name: 'Website redesign',
    price: formatPrice(redesignPrice),
    /** For structured data. */
    priceValue: redesignPrice,
    payment: 'one-time',
    includes: [
      'Redesign',
      'SEO',
      'Content migration',
      'Mobile optimization',
      '30 days post-launch support',
    ],
    timeline: '2-4 weeks',
    launch: 'within 48 hours of approval',
  },
  recruiting: {
    name: 'Technical recruiting',
    results: [
      { figure: '150+', label: 'talent pipeline' },
      { figure: '35%', label: 'time-to-hire reduction' },
      { figure: '40%', label: 'passive response increase' },
      { figure: 'under 14 days', label: 'time-to-offer' },
      { figure: '15+', label: 'positions filled in 10 months' },
    ],
    startupsHelped: '10+',
  },
  consultation: {
    price: 'free',
    length: '30-minute',
  },
  emailReply: 'within 24 hours',
} as const;
