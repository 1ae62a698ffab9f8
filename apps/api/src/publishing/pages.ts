import type { PageData } from '@app/contract/pages';
import type { Database } from '@app/db/open';

/** What a page is rendered from, or its text. */
export type Page = { data: PageData } | { text: string };

/** Whether the app itself redirects a path, so that only static hosts need its page. */
export type IsRedirect = (path: string) => boolean;

export const combineRedirects = (
  features: readonly { redirects?: (db: Database) => IsRedirect }[],
  db: Database,
): IsRedirect => {
  const all = features.flatMap(({ redirects }) => redirects?.(db) ?? []);
  return (path) => all.some((isRedirect) => isRedirect(path));
};

interface UnloggedPages {
  version(): string;
  paths(): string[];
}

export interface PublishedPages {
  /** The page at a path; null if there must be none. */
  at(path: string): Promise<Page | null>;
  /** All paths. Cheap: renders nothing. */
  all(): Promise<Iterable<string>>;
  /**
   * Whether what is published at a path must not be served anymore, even if the page that replaces
   * it cannot be rendered. Cheap: renders nothing.
   */
  isWithdrawn?(path: string): boolean;
  /** Pages that no entry of the log names. They are rendered again when the version changes. */
  unlogged?: UnloggedPages;
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
    const all = new Set<string>();
    for (const source of sources) for (const path of await source.all()) all.add(path);
    return all;
  },
  isWithdrawn: (path) => sources.some((source) => source.isWithdrawn?.(path)),
  unlogged: {
    version: () => sources.map(({ unlogged }) => unlogged?.version() ?? '').join(),
    paths: () => sources.flatMap(({ unlogged }) => unlogged?.paths() ?? []),
  },
  async prepare(paths) {
    await Promise.all(sources.map((source) => source.prepare?.(paths)));
  },
  async retryFailed(signal) {
    const paths = await Promise.all(sources.map((source) => source.retryFailed?.(signal) ?? []));
    return paths.flat();
  },
});
