/**
 * Pages that are never prerendered: those for one visitor, those that a token or a query changes,
 * and what is not a page.
 */
const excluded = [
  '/api/*',
  '/uploads/*',
  '/auth',
  '/auth/*',
  '/profile',
  '/blog/editor',
  '/blog/editor/*',
  '/*/again',
  '/*/again/*',
  '/newsletter/*',
  '/*.*',
  '/*\\?(.+)',
];

/** Prerenders the next page when the pointer rests on its link (HTML, "Speculative loading"). */
export const speculationRules = {
  prerender: [
    {
      where: {
        and: [{ href_matches: '/*' }, { not: { href_matches: excluded } }],
      },
      eagerness: 'moderate',
    },
  ],
} as const;
