const topic = 'calls, websites and AI for home services';

export const newsletter = {
  topic,
  heading: 'Newsletter',
  promise: `What we learn about ${topic}, by email.`,
  placeholder: 'you@example.com',
  submit: 'Subscribe',
  submitting: 'Subscribing...',
} as const;
