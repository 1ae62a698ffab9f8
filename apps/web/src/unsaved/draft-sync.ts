import type { Draft, DraftStored } from '@app/contract/blog/draft-replies';
import { type ApiResult, callApi, type Failure } from '../http/call-api.ts';
import { newKey } from '../http/new-key.ts';
import type { DeviceCopy } from './device-copies.ts';
import { finishesWithin, storageTimeout } from './finishes-within.ts';
import { type PostTexts, sameTexts } from './form-texts.ts';

/** Why the text is not on the server. */
export type Reason = 'offline' | 'unreachable' | 'signed-out' | 'newer-text' | { detail: string };

/** Where the text of the form is stored. */
export type TextLocation =
  /** In the saved post, or there is no text. */
  | { at: 'post' }
  /** Nowhere yet. */
  | { at: 'typing' }
  /** In the draft on the server. */
  | { at: 'server' }
  | { at: 'device' | 'page'; why: Reason };

// In milliseconds.
const deviceDelay = 250;
const typingPause = 1_000;
const maxDelay = 8_000;
const timeout = 15_000;
/** How long a save waits for a running request. */
const saveDelay = 2_000;
/** How long it then waits to find out which text the server has. */
const answerDelay = 1_000;
const retryDelay = 2_000;
const maxRetryDelay = 30_000;
const quotaRetryDelay = 60_000;

interface Options extends Omit<DeviceCopy, 'fields' | 'editedAt'> {
  initial: PostTexts;
  read: () => PostTexts;
  writeCopy: (copy: DeviceCopy) => Promise<void>;
  removeCopy: (copy: Pick<DeviceCopy, 'account' | 'draft' | 'page'>) => Promise<void>;
  onChange: (now: TextLocation) => void;
  /** Another tab or device has stored text that this one does not continue. Null if it is gone. */
  onNewerText: (draft: { id: string; updatedAt: string } | null) => void;
  /** The post was deleted or unpublished. */
  onGone: () => void;
}

/** A text that the form receives. `previous` identifies the server's draft that it continues. */
export type AdoptedText = Pick<DeviceCopy, 'draft' | 'fields' | 'baseVersion' | 'previous'>;

export type DraftSync = ReturnType<typeof createDraftSync>;

interface RunningRequest {
  done: Promise<void>;
  abort: () => void;
}

/** Stores typed text on the device almost immediately, and on the server after a pause. */
export const createDraftSync = (options: Options) => {
  const { account, page, initial, read, writeCopy, removeCopy } = options;
  let { draft, isNew, baseVersion, previous } = options;
  /** Incremented with each change. */
  let typedVersion = 0;
  let storedVersion = 0;
  /** The version of the text that is being saved. */
  let pausedVersion = 0;
  let settled: 'post' | 'server' = previous === null ? 'post' : 'server';
  let why: Reason | null = null;
  let isOnDevice = true;
  let isHeld = false;
  let isPaused = false;
  let failures = 0;
  let firstTypedAt = 0;
  /** Texts that the server may have stored although no reply arrived. */
  let unanswered: PostTexts[] = [];
  let running: RunningRequest | null = null;
  let deviceTimer: ReturnType<typeof setTimeout> | undefined;
  let serverTimer: ReturnType<typeof setTimeout> | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  const isUnsent = (): boolean => typedVersion !== storedVersion;

  const textLocation = (): TextLocation => {
    if (!isUnsent()) return { at: settled };
    return why === null ? { at: 'typing' } : { at: isOnDevice ? 'device' : 'page', why };
  };

  let shown = '';
  const show = (): void => {
    const now = textLocation();
    // Avoids a render on each keystroke.
    if (JSON.stringify(now) === shown) return;
    shown = JSON.stringify(now);
    options.onChange(now);
  };

  const copy = (): DeviceCopy => ({
    ...{ account, draft, page, isNew, baseVersion, previous },
    fields: read(),
    editedAt: Date.now(),
  });

  const writeToDevice = async (): Promise<void> => {
    clearTimeout(deviceTimer);
    deviceTimer = undefined;
    if (!isUnsent()) return;
    isOnDevice = await finishesWithin(storageTimeout, writeCopy(copy()));
    if (!isUnsent()) await removeFromDevice();
    show();
  };

  const removeFromDevice = async (): Promise<void> => {
    clearTimeout(deviceTimer);
    deviceTimer = undefined;
    await finishesWithin(storageTimeout, removeCopy({ account, draft, page }));
  };

  const schedule = (): void => {
    deviceTimer ??= setTimeout(writeToDevice, deviceDelay);
    if (retryTimer !== undefined || isPaused || why === 'signed-out') return;
    clearTimeout(serverTimer);
    const latest = firstTypedAt + maxDelay - Date.now();
    serverTimer = setTimeout(send, Math.max(0, Math.min(typingPause, latest)));
  };

  const retryIn = (milliseconds: number): void => {
    clearTimeout(retryTimer);
    // Jitter, so that clients do not retry all at the same time.
    const delay = milliseconds * (1 + Math.random() * 0.25);
    retryTimer = setTimeout(() => {
      retryTimer = undefined;
      void send();
    }, delay);
  };

  const send = (): Promise<void> => {
    clearTimeout(serverTimer);
    serverTimer = undefined;
    if (!isUnsent() || isPaused) return Promise.resolve();
    if (isHeld) {
      if (why !== 'signed-out') why = 'newer-text';
      show();
      // This request also notices an ended session, because nothing else is sent while held.
      return releaseIfGone();
    }
    if (running) return running.done;
    const controller = new AbortController();
    const request: RunningRequest = {
      done: sendNow(controller.signal).finally(() => {
        if (running === request) running = null;
      }),
      abort: () => controller.abort(),
    };
    running = request;
    return request.done;
  };

  const sendNow = async (aborted: AbortSignal): Promise<void> => {
    const version = typedVersion;
    const fields = read();
    const reply = await put(fields, aborted);
    if (aborted.aborted) return;
    if (!reply.ok) return onFailure(reply, fields, aborted);
    unanswered = [];
    failures = 0;
    clearTimeout(retryTimer);
    retryTimer = undefined;
    why = null;
    storedVersion = version;
    firstTypedAt = Date.now();
    previous = reply.value.updatedAt;
    settled = previous === null ? 'post' : 'server';
    // What was typed meanwhile continues the draft that was just stored.
    if (isUnsent()) schedule();
    else void removeFromDevice();
    show();
  };

  const put = async (fields: PostTexts, aborted: AbortSignal): Promise<ApiResult<DraftStored>> => {
    const path = `/api/posts/drafts/${draft}`;
    const signal = AbortSignal.any([aborted, AbortSignal.timeout(timeout)]);
    if (isNew && sameTexts(fields, initial)) {
      const isStored = previous !== null || unanswered.length > 0;
      const known = `${path}?updatedAt=${previous ?? ''}`;
      const reply = isStored ? await callApi('DELETE', known, undefined, { signal }) : null;
      return reply?.ok === false ? reply : { ok: true, value: { id: draft, updatedAt: null } };
    }
    unanswered = [...unanswered.slice(-4), fields];
    const body = { ...fields, account, previous, baseVersion };
    return callApi<DraftStored>('PUT', path, body, { signal });
  };

  const onFailure = async (
    { problem, retryAfter }: Failure,
    fields: PostTexts,
    aborted: AbortSignal,
  ): Promise<void> => {
    failures += 1;
    if (problem) unanswered = unanswered.filter((sent) => sent !== fields);
    const delay =
      retryAfter === null
        ? Math.min(retryDelay * 2 ** (failures - 1), maxRetryDelay)
        : retryAfter * 1_000;
    switch (problem?.code) {
      case undefined:
        why = navigator.onLine ? 'unreachable' : 'offline';
        retryIn(delay);
        break;
      case 'draft_changed':
        return compareWithServer(fields, aborted);
      case 'not_signed_in':
        why = 'signed-out';
        break;
      case 'not_found':
        if (isNew) why = { detail: problem.detail };
        else {
          becomeNew();
          options.onGone();
          retryIn(0);
        }
        break;
      case 'quota_exceeded':
        why = { detail: problem.detail };
        retryIn(quotaRetryDelay);
        break;
      default:
        why = { detail: problem?.detail ?? '' };
        if (retryAfter !== null || problem?.code === 'internal') retryIn(delay);
    }
    show();
  };

  /** Treats the text as that of a new post, in the same draft. */
  const becomeNew = (): void => {
    isNew = true;
    baseVersion = null;
  };

  /** The server has a draft that this text does not continue, but this page may have stored it. */
  const compareWithServer = async (fields: PostTexts, aborted: AbortSignal): Promise<void> => {
    const failure = await readStored(aborted);
    if (aborted.aborted) return;
    if (failure) return onFailure(failure, fields, aborted);
    if (!isHeld) retryIn(0);
  };

  /** Continues the server's draft if this page stored it. Otherwise holds this text back. */
  const readStored = async (aborted: AbortSignal): Promise<Failure | null> => {
    const signal = AbortSignal.any([aborted, AbortSignal.timeout(timeout)]);
    const path = `/api/posts/drafts/${draft}`;
    const reply = await callApi<Draft>('GET', path, undefined, { signal });
    if (aborted.aborted) return null;
    if (!reply.ok) {
      if (reply.problem?.code !== 'not_found') return reply;
      previous = null;
      return null;
    }
    const { fields, updatedAt } = reply.value;
    const isOwn = updatedAt === previous || unanswered.some((sent) => sameTexts(sent, fields));
    if (isOwn) previous = updatedAt;
    else {
      isHeld = true;
      why = 'newer-text';
      options.onNewerText(reply.value);
      show();
    }
    return null;
  };

  const release = (updatedAt: string | null): void => {
    if (!isHeld) return;
    isHeld = false;
    previous = updatedAt;
    void send();
  };

  /**
   * Checks whether another tab has saved or discarded the text that this one waits for, and whether
   * the session has ended.
   */
  const releaseIfGone = async (): Promise<void> => {
    if (!isHeld || !isUnsent()) return;
    const signal = AbortSignal.timeout(timeout);
    const reply = await callApi<Draft>('GET', `/api/posts/drafts/${draft}`, undefined, { signal });
    if (!isHeld) return;
    if (!reply.ok && reply.problem?.code === 'not_found') {
      options.onNewerText(null);
      release(null);
      return;
    }
    const isSignedOut = !reply.ok && reply.problem?.code === 'not_signed_in';
    why = isSignedOut ? 'signed-out' : 'newer-text';
    show();
  };

  return {
    /** Call this after each change of the form. */
    typed(): void {
      if (!isUnsent()) firstTypedAt = Date.now();
      typedVersion += 1;
      schedule();
      show();
    },

    isUnsent,

    /** Whether the text of this page is stored under this id. */
    isOf: (id: string): boolean => id === draft,

    /** Stores the current text immediately if possible. */
    async flush(): Promise<void> {
      if (!isUnsent()) return;
      await Promise.all([writeToDevice(), send()]);
    },

    /**
     * Call this when the connection or the session may be back, or another tab may have finished.
     */
    wake(): void {
      clearTimeout(retryTimer);
      retryTimer = undefined;
      void (isHeld ? releaseIfGone() : send());
    },

    /** Stores nothing on the server until the user has decided about another text there. */
    hold(): void {
      isHeld = true;
    },

    becomeNew,

    /** Call this before the form receives a text that includes the changes of that version. */
    rebase(version: number): void {
      baseVersion = version;
    },

    /** @param updatedAt identifies the server's current draft, which this text can now replace */
    release,

    /**
     * Call this before the form receives another stored text, which this page then continues.
     * @returns the replaced text as a copy of another page, unless the other text continues it
     */
    adopt(other: AdoptedText): DeviceCopy | null {
      const isContinued = !isUnsent() && (settled === 'post' || other.previous === previous);
      const isLost = !isContinued && !sameTexts(read(), other.fields);
      const replaced = isLost ? { ...copy(), page: newKey() } : null;
      if (draft !== other.draft) {
        void removeFromDevice();
        // Held until it is known what the server has under the other id.
        isHeld = true;
        previous = null;
      }
      draft = other.draft;
      baseVersion = isNew ? null : other.baseVersion;
      return replaced;
    },

    /** Sent with a save: the author, and the draft to delete unless the server has newer text. */
    savedText: () => ({ account, draft, draftUpdatedAt: previous ?? undefined }),

    /**
     * Call this before a save, which an older request must not overtake. Aborts a slow request. If
     * replies are missing, then asks the server which text it has stored.
     */
    async pause(): Promise<void> {
      isPaused = true;
      pausedVersion = typedVersion;
      clearTimeout(serverTimer);
      if (running) {
        await finishesWithin(saveDelay, running.done);
        running?.abort();
        running = null;
      }
      if (isHeld || unanswered.length === 0) return;
      const late = new AbortController();
      await finishesWithin(answerDelay, readStored(late.signal));
      late.abort();
    },

    /** Call this after a failed save. */
    resume(): void {
      isPaused = false;
      if (isUnsent()) schedule();
    },

    /** Call this after a save. What was typed since `pause` becomes a draft of the saved post. */
    async saved({ id, version }: { id: string; version: number }): Promise<void> {
      const removed = removeFromDevice();
      draft = id;
      baseVersion = version;
      isNew = false;
      previous = null;
      unanswered = [];
      settled = 'post';
      why = null;
      failures = 0;
      clearTimeout(retryTimer);
      retryTimer = undefined;
      storedVersion = pausedVersion;
      firstTypedAt = Date.now();
      isPaused = false;
      if (isUnsent()) schedule();
      show();
      await removed;
    },

    /** Call this when the user has discarded the text. */
    async discard(): Promise<void> {
      isPaused = true;
      clearTimeout(retryTimer);
      storedVersion = typedVersion;
      await removeFromDevice();
    },
  };
};
