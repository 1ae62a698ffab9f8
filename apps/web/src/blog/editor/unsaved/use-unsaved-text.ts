import type { Draft, DraftList } from '@app/contract/blog/draft-replies';
import type { RestoredDraft } from '@app/contract/blog/pages';
import type { Post } from '@app/contract/blog/posts';
import { messages } from '@app/contract/messages';
import { unsaved } from '@app/site/blog/unsaved';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { showToast } from '../../../components/toast-after-redirect.ts';
import { callApi } from '../../../http/call-api.ts';
import { newKey } from '../../../http/new-key.ts';
import {
  copiesOf,
  type DeviceCopy,
  markPageOpen,
  removeCopy,
  textsToOffer,
  withoutOpenPages,
  writeCopy,
} from '../../../unsaved/device-copies.ts';
import {
  type AdoptedText,
  createDraftSync,
  type DraftSync,
  type TextLocation,
} from '../../../unsaved/draft-sync.ts';
import { initialTexts, type PostTexts, sameTexts, textsOf } from '../../../unsaved/form-texts.ts';
import { openEditors } from '../../../unsaved/open-editors.ts';
import { onFormInput } from '../on-form-input.ts';
import type { EditorStatus } from '../StatusLine.tsx';
import { unsavedStatus } from './unsaved-status.ts';

/** Unsaved text of an earlier visit, or of another tab or device. */
export interface Offer {
  key: string;
  /** The draft's id on the server. */
  draft: string;
  /** The title of a new post; null for the post of this page. */
  title: string | null;
  /** ISO 8601 in UTC. */
  time: string;
  /** Null if the server has it. */
  copy: DeviceCopy | null;
  /** The page of a new post's draft on the server. Null if it is restored on this page. */
  href: string | null;
  /** `updatedAt` of the server's draft, which this text is or continues. */
  onServer: string | null;
}

interface Options {
  form: RefObject<HTMLFormElement | null>;
  post: Post | undefined;
  /** The sample that a new post copies. */
  sample: Parameters<typeof initialTexts>[0];
  restored: RestoredDraft | null | undefined;
  /** A draft on the server that is not in the form. */
  draft: { id: string; updatedAt: string } | null | undefined;
  /** Null until it is known. */
  account: string | null;
  fill: (texts: PostTexts) => void;
  /** Called when the post was deleted or unpublished. Its text becomes a new post. */
  onGone: () => void;
}

/** Stores typed text, and offers earlier text. */
export const useUnsavedText = ({
  form,
  post,
  sample,
  restored,
  draft,
  account,
  fill,
  onGone,
}: Options) => {
  const sync = useRef<DraftSync>(null);
  const [where, setWhere] = useState<TextLocation>({ at: restored ? 'server' : 'post' });
  const [offers, setOffers] = useState<readonly Offer[]>(() =>
    draft ? [serverOffer(draft, post)] : [],
  );
  const [baseVersion, setBaseVersion] = useState(post?.version);
  const settled = useRef<EditorStatus | null>(null);
  const postNow = useRef(post);
  useEffect(() => {
    postNow.current = post;
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: once per account; the rest is fixed
  useEffect(() => {
    const element = form.current;
    if (account === null || !element) return;
    const page = newKey();
    markPageOpen(page);
    const id = post?.id ?? restored?.id ?? newKey();
    const current = createDraftSync({
      ...{ account, page, draft: id, isNew: !post, writeCopy, removeCopy },
      baseVersion: post?.version ?? null,
      previous: restored?.updatedAt ?? null,
      initial: initialTexts(sample),
      read: () => textsOf(element),
      onChange: setWhere,
      onGone,
      onNewerText: (newer) =>
        setOffers((all) => [
          ...(newer ? [serverOffer(newer, postNow.current)] : []),
          ...all.filter((offer) => offer.copy || !current.isOf(offer.draft)),
        ]),
    });
    sync.current = current;
    openEditors.add(current);
    if (draft) current.hold();
    const chosen = restored?.fields.scheduledAt;
    const shown = {
      ...initialTexts(restored?.fields ?? post ?? sample),
      ...(chosen !== undefined && { scheduledAt: chosen }),
    };
    // Text may have been typed before hydration.
    if (!sameTexts(textsOf(element), shown)) current.typed();

    void findOffers({ account, id, post, restored, draft, shown }).then((found) => {
      if (sync.current === current) setOffers(found);
    });

    const onVisibility = () =>
      document.visibilityState === 'visible' ? current.wake() : void current.flush();
    const onLeave = () => void current.flush();
    const stopListening = onFormInput(element, current.typed);
    addEventListener('online', current.wake);
    addEventListener('focus', current.wake);
    addEventListener('pagehide', onLeave);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      openEditors.delete(current);
      sync.current = null;
      stopListening();
      removeEventListener('online', current.wake);
      removeEventListener('focus', current.wake);
      removeEventListener('pagehide', onLeave);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [account]);

  const isUnsent = where.at !== 'post' && where.at !== 'server';
  useEffect(() => {
    if (!isUnsent) return;
    const ask = (event: BeforeUnloadEvent) => {
      // The text may have been stored since the last render.
      if (!sync.current?.isUnsent()) return;
      void sync.current.flush();
      event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUnsent]);

  const remove = (offer: Offer) => setOffers((all) => all.filter(({ key }) => key !== offer.key));

  const restore = async (offer: Offer) => {
    const text = offer.copy ?? (await findDraft(offer));
    if (text && sync.current) await adopt(sync.current, offer, text);
  };

  const adopt = async (current: DraftSync, offer: Offer, text: AdoptedText) => {
    const { copy } = offer;
    const isSameDraft = current.isOf(text.draft);
    const replaced = current.adopt(text);
    // Starts before this page's own copy is overwritten.
    const stored = replaced && writeCopy(replaced).catch(() => undefined);
    setBaseVersion((post && text.baseVersion) ?? undefined);
    fill(text.fields);
    current.typed();
    const isAlone = !offers.some(
      (other) => other !== offer && other.draft === offer.draft && !other.copy,
    );
    if (isAlone) current.release(copy ? offer.onServer : text.previous);
    remove(offer);
    if (replaced) {
      const unsaved = deviceOffer(replaced, null, post ? null : replaced.fields.title);
      // If the id is the same, the restored text replaces the draft on the server.
      const onServer = isSameDraft ? null : replaced.previous;
      setOffers((all) => [{ ...unsaved, onServer }, ...all]);
    }
    await Promise.all([stored, current.flush()]);
    // This page now has its own copy.
    if (copy) await removeCopy(copy).catch(() => undefined);
  };

  /** Call this when the form has the changes of that version, too. */
  const rebase = (version: number) => {
    setBaseVersion(version);
    sync.current?.rebase(version);
  };

  /** Call this after a save. What was typed since `pause` continues this post. */
  const continueFrom = async (saved: Post) => {
    setBaseVersion(saved.version);
    await sync.current?.saved(saved);
  };

  /** Treats the form as that of a new post from now on. */
  const becomeNew = () => {
    sync.current?.becomeNew();
    setBaseVersion(undefined);
    setOffers((all) =>
      all.map((offer) => (offer.copy ? offer : { ...offer, href: hrefOf(offer.draft, undefined) })),
    );
  };

  const discard = async (offer: Offer) => {
    const { copy, draft: id, onServer } = offer;
    if (!copy || copy.previous === onServer) {
      const path = `/api/posts/drafts/${id}?updatedAt=${onServer}`;
      const reply = onServer ? await callApi('DELETE', path) : null;
      if (reply?.ok === false) {
        const description = reply.problem?.detail ?? messages.forms.unreachable;
        showToast({ tone: 'danger', title: unsaved.notDiscarded, description });
        return;
      }
      if (onServer && sync.current?.isOf(id)) sync.current.release(null);
    }
    if (copy) await removeCopy(copy).catch(() => undefined);
    remove(offer);
  };

  const status = unsavedStatus(where, settled.current, !post);
  useEffect(() => {
    if (!status?.isBusy) settled.current = status;
  });

  return { sync, status, offers, restore, discard, rebase, continueFrom, becomeNew, baseVersion };
};

const serverOffer = (
  { id, updatedAt }: { id: string; updatedAt: string },
  post: Post | undefined,
  title: string | null = null,
): Offer => ({
  key: id,
  draft: id,
  title,
  time: updatedAt,
  copy: null,
  href: hrefOf(id, post),
  onServer: updatedAt,
});

const hrefOf = (draft: string, post: Post | undefined): string | null =>
  post ? null : `/blog/editor/${draft}`;

/** The server's draft as it is now, or null after a message if it cannot be loaded. */
const findDraft = async ({ draft }: Offer): Promise<AdoptedText | null> => {
  const reply = await callApi<Draft>('GET', `/api/posts/drafts/${draft}`);
  if (reply.ok) return { draft, ...reply.value, previous: reply.value.updatedAt };
  const description = reply.problem?.detail ?? messages.forms.unreachable;
  showToast({ tone: 'danger', title: unsaved.notRestored, description });
  return null;
};

const deviceOffer = (
  copy: DeviceCopy,
  server: { updatedAt: string } | null,
  title: string | null,
): Offer => ({
  key: `${copy.draft} ${copy.page}`,
  draft: copy.draft,
  title,
  time: new Date(copy.editedAt).toISOString(),
  copy,
  href: null,
  onServer: server?.updatedAt ?? null,
});

interface Search extends Pick<Options, 'post' | 'restored' | 'draft'> {
  account: string;
  id: string;
  shown: PostTexts;
}

const findOffers = async ({
  account,
  id,
  post,
  restored,
  draft,
  shown,
}: Search): Promise<Offer[]> => {
  const copies = await withoutOpenPages(await copiesOf(account));
  if (post || restored) {
    const server = draft ?? restored ?? null;
    const ofPost = copies.filter((copy) => copy.draft === id);
    const elsewhere = [shown, ...(await storedTexts(server, ofPost))];
    const { offered, isServerOffered, redundant } = textsToOffer(server, ofPost, elsewhere);
    await removeAll(redundant);
    return [
      ...(draft && isServerOffered ? [serverOffer(draft, post)] : []),
      ...offered.map((copy) => deviceOffer(copy, server, null)),
    ];
  }
  const list = await callApi<DraftList>('GET', '/api/posts/drafts');
  const stored = list.ok ? list.value.drafts.filter(({ slug }) => slug === null) : [];
  const newPosts = await withoutPost(copies);
  const ids = new Set(
    [...stored, ...newPosts.map((copy) => ({ id: copy.draft }))].map((d) => d.id),
  );
  const found: Offer[] = [];
  for (const each of ids) {
    const server = stored.find((summary) => summary.id === each) ?? null;
    const ofDraft = newPosts.filter((copy) => copy.draft === each);
    const elsewhere = [shown, ...(await storedTexts(server, ofDraft))];
    const { offered, isServerOffered, redundant } = textsToOffer(server, ofDraft, elsewhere);
    await removeAll(redundant);
    if (server && isServerOffered) found.push(serverOffer(server, undefined, server.title));
    found.push(...offered.map((copy) => deviceOffer(copy, server, copy.fields.title)));
  }
  return found.sort((a, b) => b.time.localeCompare(a.time));
};

/** Copies of new posts, and of posts that have been deleted or unpublished since. */
const withoutPost = async (copies: readonly DeviceCopy[]): Promise<DeviceCopy[]> => {
  const gone = new Set<string>();
  for (const id of new Set(copies.filter(({ isNew }) => !isNew).map(({ draft }) => draft))) {
    const reply = await callApi('GET', `/api/posts/${id}/publishing`);
    if (!reply.ok && reply.problem?.code === 'not_found') gone.add(id);
  }
  return copies.filter(({ isNew, draft }) => isNew || gone.has(draft));
};

/** The server's text, because a page that was closed before the reply left a copy of that text. */
const storedTexts = async (
  server: { id: string; updatedAt: string } | null,
  copies: readonly DeviceCopy[],
): Promise<PostTexts[]> => {
  if (!server || copies.every(({ previous }) => previous === server.updatedAt)) return [];
  const stored = await callApi<Draft>('GET', `/api/posts/drafts/${server.id}`);
  return stored.ok ? [stored.value.fields] : [];
};

const removeAll = async (copies: readonly DeviceCopy[]): Promise<void> => {
  for (const copy of copies) await removeCopy(copy).catch(() => undefined);
};
