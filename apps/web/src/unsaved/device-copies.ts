import { day } from '@app/contract/durations';
import { createStore, del, delMany, entries, set } from 'idb-keyval';
import { type PostTexts, sameTexts } from './form-texts.ts';

/** Text that is not on the server. Each open editor page has its own copy. */
export interface DeviceCopy {
  account: string;
  /** The id under which the server stores it as a draft. */
  draft: string;
  page: string;
  isNew: boolean;
  baseVersion: number | null;
  /** `updatedAt` of the stored draft that the text continues. */
  previous: string | null;
  fields: PostTexts;
  /** In epoch milliseconds. */
  editedAt: number;
}

type Key = [account: string, draft: string, page: string];

/** In milliseconds. The same as on the server. */
const lifetime = 90 * day;

let store: ReturnType<typeof createStore> | undefined;
const open = () => {
  store ??= createStore('unsaved-text', 'copies');
  return store;
};

const keyOf = ({ account, draft, page }: Pick<DeviceCopy, 'account' | 'draft' | 'page'>): Key => [
  account,
  draft,
  page,
];

/** Rejects if the browser has no storage or its storage is full. */
export const writeCopy = async (copy: DeviceCopy): Promise<void> => set(keyOf(copy), copy, open());

export const removeCopy = async (
  copy: Pick<DeviceCopy, 'account' | 'draft' | 'page'>,
): Promise<void> => del(keyOf(copy), open());

/** Newest first. Empty without storage. Also removes outdated copies of all accounts. */
export const copiesOf = async (account: string): Promise<DeviceCopy[]> => {
  try {
    const all = await entries<Key, DeviceCopy>(open());
    const oldest = Date.now() - lifetime;
    const old = all.filter(([, { editedAt }]) => editedAt < oldest);
    if (old.length > 0)
      await delMany(
        old.map(([key]) => key),
        open(),
      );
    return all
      .map(([, copy]) => copy)
      .filter((copy) => copy.account === account && copy.editedAt >= oldest)
      .sort((a, b) => b.editedAt - a.editedAt);
  } catch {
    return [];
  }
};

export const removeCopiesOf = async (account: string): Promise<void> => {
  const all = await copiesOf(account);
  if (all.length > 0) await delMany(all.map(keyOf), open());
};

const lockOf = (page: string): string => `unsaved-text:${page}`;

/** Holds a lock until the page is closed or crashes. */
export const markPageOpen = (page: string): void => {
  void navigator.locks?.request(lockOf(page), () => new Promise(() => undefined));
};

/** Copies of pages that are still open, here or in other tabs, need no recovery. */
export const withoutOpenPages = async (copies: DeviceCopy[]): Promise<DeviceCopy[]> => {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const open = new Set(held.map(({ name }) => name));
  return copies.filter(({ page }) => !open.has(lockOf(page)));
};

interface Found {
  /** Newest first. */
  offered: DeviceCopy[];
  /** Whether the server has a text that none of them continues. */
  isServerOffered: boolean;
  /** Copies whose text is also elsewhere. */
  redundant: DeviceCopy[];
}

/**
 * Decides which texts of a post to offer. A copy that continues the server's draft replaces it.
 * Texts that do not continue each other are all offered.
 * @param copies newest first
 * @param elsewhere the texts of the form, and of the server if known
 */
export const textsToOffer = (
  server: { updatedAt: string } | null,
  copies: readonly DeviceCopy[],
  elsewhere: readonly PostTexts[],
): Found => {
  const offered: DeviceCopy[] = [];
  const redundant: DeviceCopy[] = [];
  for (const copy of copies) {
    const known = [...elsewhere, ...offered.map(({ fields }) => fields)];
    const isKnown = known.some((fields) => sameTexts(fields, copy.fields));
    (isKnown ? redundant : offered).push(copy);
  }
  const isContinued = offered.some(({ previous }) => previous === server?.updatedAt);
  return { offered, isServerOffered: server !== null && !isContinued, redundant };
};
