import type { PageData, PageKind, RenderedPages } from '@app/contract/pages';

/**
 * What a page that is rendered while the site runs was given to draw.
 * @throws when it was given nothing, or what belongs to another page
 */
export const pageData = <Kind extends PageKind>(
  locals: App.Locals,
  ...kinds: Kind[]
): { origin: string; page: Extract<PageData, { kind: Kind }> } => {
  const { origin, page } = locals;
  if (origin === undefined || page === undefined || !isOneOf(page, kinds)) {
    throw new Error(`The page needs data of kind ${kinds.join(' or ')}, not ${page?.kind}`);
  }
  return { origin, page };
};

const isOneOf = <Kind extends keyof RenderedPages>(
  page: PageData,
  kinds: Kind[],
): page is Extract<PageData, { kind: Kind }> => kinds.some((kind) => kind === page.kind);
