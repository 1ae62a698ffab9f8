import { day } from '@app/contract/durations';
import { createStore, del, delMany, entries, set } from 'idb-keyval';
import { type PostTexts, sameTexts } from './form-texts.ts';

/** Text that is not on the server. Each open page of the editor has one of its own. */
export interface DeviceCopy {
  account: string;
  /** The id of the draft that it becomes on the server. */
  draft: string;
  page: string;
  isNew: boolean;
  /** The version of the post that the text is based on. */
  baseVersion: number | null;
  /** `updatedAt` of the stored draft that the text continues. */
  previous: string | null;
  fields: PostTexts;
  /** In milliseconds. */
  editedAt: number;
}

type Key = [account: string, draft: string, page: string];

/** In milliseconds; the same as on the server. */
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

/** Rejects without storage, where opening one throws, or with a full one. */
export const writeCopy = async (copy: DeviceCopy): Promise<void> => set(keyOf(copy), copy, open());

export const removeCopy = async (
  copy: Pick<DeviceCopy, 'account' | 'draft' | 'page'>,
): Promise<void> => del(keyOf(copy), open());

/** Newest first. None without storage. Removes those of any account that are too old. */
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

/** Until the page is gone, also by a crash. */
export const markPageOpen = (page: string): void => {
  void navigator.locks?.request(lockOf(page), () => new Promise(() => undefined));
};

/** Copies of pages that are open, also in other tabs, are not lost. */
export const withoutOpenPages = async (copies: DeviceCopy[]): Promise<DeviceCopy[]> => {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const open = new Set(held.map(({ name }) => name));
  return copies.filter(({ page }) => !open.has(lockOf(page)));
};

interface Found {
  /** To ask about, newest first. */
  offered: DeviceCopy[];
  /** Whether none of them continues the text on the server. */
  isServerOffered: boolean;
  /** They hold nothing that is not elsewhere. */
  redundant: DeviceCopy[];
}

/**
 * Which texts of one post to offer. A copy that continues the server's draft replaces it; of texts
 * that do not continue each other, none replaces another.
 * @param copies newest first
 * @param elsewhere the texts of the form, and those on the server where they are known
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
