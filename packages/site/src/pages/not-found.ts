/** `code`, `heading` and `home` are quoted from the spec (§2). */
export const notFound = {
  title: 'Page not found',
  description: 'There is no page at this URL.',
  code: '404',
  heading: 'Oops! Page not found',
  text: 'Nobody lives at this address. It may have moved, or the link has a typo.',
  home: 'Return to Home',
} as const;
