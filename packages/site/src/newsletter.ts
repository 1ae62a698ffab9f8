/** What the footer of every page says about the newsletter. */
export const newsletter = {
  heading: 'Newsletter',
  promise: 'What we learn about calls, websites and AI for home services, by email.',
} as const;
