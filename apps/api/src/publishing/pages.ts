import type { PageData } from '@app/contract/pages';

/** `version` identifies the content, see PageRecord. */
export interface Page {
  data: PageData;
  version: string;
}

/** Whether the app itself redirects this path, so that only static hosts need its page. */
export type IsRedirectPage = (path: string, version: string) => boolean;

export const combineRedirects =
  (features: readonly { isRedirectPage?: IsRedirectPage }[]): IsRedirectPage =>
  (path, version) =>
    features.some(({ isRedirectPage }) => isRedirectPage?.(path, version));

export interface PublishedPages {
  at(path: string): Promise<Page | null>;
  /** All paths with their versions; '' for pages that depend on other pages. */
  all(): Promise<Map<string, string>>;
  /** Paths of pages that can change with every job. */
  lists?: readonly string[];
  /** Pages that list a path. */
  indexesOf?(path: string): readonly string[];
  outdated?(publishedVersion: (path: string) => string | undefined): string[];
  /** Whether a path has no page. Cheap: does not render. */
  isGone?(path: string): boolean;
  /** Whether a page of this version must not be served anymore. */
  isWithdrawn?(version: string): boolean;
  /** Loads pages in a batch. Never throws. */
  prepare?(paths: readonly string[]): Promise<void>;
  /** Retries pages that could not be rendered. @returns paths to publish */
  retryFailed?(signal: AbortSignal): Promise<string[]>;
}

export type Pages = Required<PublishedPages>;

/** A path belongs to the first feature that has a page for it. */
export const combinePages = (sources: readonly PublishedPages[]): Pages => ({
  async at(path) {
    for (const source of sources) {
      const page = await source.at(path);
      if (page) return page;
    }
    return null;
  },
  async all() {
    const all = new Map<string, string>();
    for (const source of sources) {
      for (const [path, version] of await source.all()) all.set(path, version);
    }
    return all;
  },
  lists: sources.flatMap(({ lists = [] }) => lists),
  indexesOf: (path) => sources.flatMap((source) => source.indexesOf?.(path) ?? []),
  outdated: (published) => sources.flatMap((source) => source.outdated?.(published) ?? []),
  isGone: (path) => sources.some((source) => source.isGone?.(path)),
  isWithdrawn: (version) => sources.some((source) => source.isWithdrawn?.(version)),
  async prepare(paths) {
    await Promise.all(sources.map((source) => source.prepare?.(paths)));
  },
  async retryFailed(signal) {
    const paths = await Promise.all(sources.map((source) => source.retryFailed?.(signal) ?? []));
    return paths.flat();
  },
});
