const topic = 'calls, websites and AI for home services';

export const newsletter = {
  /** Completes “what we learn about”, also in emails. */
  topic,
  heading: 'Newsletter',
  promise: `What we learn about ${topic}, by email.`,
  placeholder: 'you@example.com',
  submit: 'Subscribe',
  submitting: 'Subscribing...',
} as const;
