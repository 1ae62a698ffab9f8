import type { PageData } from '@app/contract/pages';

/** What a path shows. `version` tells one content of it from another, see PageRecord. */
export interface Page {
  data: PageData;
  version: string;
}

/** The pages of a feature that are published as files, as the database stands. */
export interface PublishedPages {
  /** What the path shows; null when it is to have no file. */
  at(path: string): Promise<Page | null>;
  /** Every path that is to have a file, with its version; '' where any other page may change it. */
  all(): Promise<Map<string, string>>;
  /** Paths that any job may change: lists and indexes. */
  lists?: readonly string[];
  /** The pages that name a path, and change when it comes or goes. */
  indexesOf?(path: string): readonly string[];
  /** Paths whose published version is not the one they should have, whatever the jobs name. */
  outdated?(publishedVersion: (path: string) => string | undefined): string[];
  /** Whether a path shows nothing any more. Renders nothing. */
  isGone?(path: string): boolean;
  /** Whether a page of this version may no longer be read, whatever replaces it. */
  isWithdrawn?(version: string): boolean;
  /** Whether a page of this version redirects: only hosts that serve files alone need its file. */
  isRedirect?(version: string): boolean;
  /** Loads together what the pages at these paths show. Never throws. */
  prepare?(paths: readonly string[]): Promise<void>;
  /** Tries again what could not be rendered. Returns the paths to publish. */
  retryFailed?(signal: AbortSignal): Promise<string[]>;
}

export type Pages = Required<PublishedPages>;

/** The pages of all features. A path belongs to the first one that shows something at it. */
export const combinePages = (sources: readonly PublishedPages[]): Pages => ({
  async at(path) {
    for (const source of sources) {
      const page = await source.at(path);
      if (page) return page;
    }
    return null;
  },
  async all() {
    const all = await Promise.all(sources.map((source) => source.all()));
    return new Map(all.flatMap((paths) => [...paths]));
  },
  lists: sources.flatMap(({ lists = [] }) => lists),
  indexesOf: (path) => sources.flatMap((source) => source.indexesOf?.(path) ?? []),
  outdated: (published) => sources.flatMap((source) => source.outdated?.(published) ?? []),
  isGone: (path) => sources.some((source) => source.isGone?.(path)),
  isWithdrawn: (version) => sources.some((source) => source.isWithdrawn?.(version)),
  isRedirect: (version) => sources.some((source) => source.isRedirect?.(version)),
  async prepare(paths) {
    await Promise.all(sources.map((source) => source.prepare?.(paths)));
  },
  async retryFailed(signal) {
    const paths = await Promise.all(sources.map((source) => source.retryFailed?.(signal) ?? []));
    return paths.flat();
  },
});
