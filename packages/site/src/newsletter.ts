const topic = 'calls, websites and AI for home services';

export const newsletter = {
  /** What it is about, for the middle of a sentence. */
  topic,
  /** What the footer of every page says about it. */
  heading: 'Newsletter',
  promise: `What we learn about ${topic}, by email.`,
} as const;
