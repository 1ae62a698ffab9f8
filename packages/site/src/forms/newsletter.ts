const topic = 'calls, websites and AI for home services';

export const newsletter = {
  /** Completes a sentence. */
  topic,
  /** In the footer of every page. */
  heading: 'Newsletter',
  promise: `What we learn about ${topic}, by email.`,
  placeholder: 'you@example.com',
  submit: 'Subscribe',
  submitting: 'Subscribing...',
} as const;
