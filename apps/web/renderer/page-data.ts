import type { PageData, PageKind, RenderedPages } from '@app/contract/pages';

/**
 * The data of a page that is not part of the build.
 * @throws if there is no data, or it is of another kind
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
