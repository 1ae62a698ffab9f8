/** Folders of URLs that the API serves. `astro dev` proxies them. */
export const apiFolders: readonly string[] = ['api', 'uploads', 'pictures'];

/** Personal pages, pages with a token or a query, and URLs of files. */
const excluded = [
  `/(${[...apiFolders, 'newsletter'].join('|')})/*`,
  '/(auth|profile){/*}?',
  '/blog/(editor|pictures|trash|draft){/*}?',
  '/*/again{/*}?',
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
