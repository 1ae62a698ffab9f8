import type { Draft, DraftStored } from '@app/contract/blog/draft-replies';
import { type ApiResult, callApi, type Failure } from '../../http/call-api.ts';
import type { DeviceCopy } from './device-copies.ts';
import { type PostTexts, sameTexts } from './form-texts.ts';

/** Why the text is not on the server. */
export type Reason = 'offline' | 'unreachable' | 'signed-out' | 'newer-text' | { detail: string };

/** Where the text of the form is. */
export type Whereabouts =
  /** In the post, or there is none. */
  | { at: 'post' }
  /** On its way. */
  | { at: 'typing' }
  /** In the draft on the server. */
  | { at: 'server' }
  | { at: 'device' | 'page'; why: Reason };

/** All in milliseconds. */
const deviceDelay = 250;
const typingPause = 1_000;
const longestDelay = 8_000;
const timeout = 15_000;
const retryDelay = 2_000;
const longestRetryDelay = 30_000;
const quotaRetryDelay = 60_000;

interface Options {
  account: string;
  draft: string;
  page: string;
  isNew: boolean;
  baseVersion: number | null;
  /** `updatedAt` of the draft that the form continues. */
  previous: string | null;
  /** What an untouched form has. */
  initial: PostTexts;
  read: () => PostTexts;
  writeCopy: (copy: DeviceCopy) => Promise<void>;
  removeCopy: (copy: Pick<DeviceCopy, 'account' | 'draft' | 'page'>) => Promise<void>;
  onChange: (now: Whereabouts) => void;
  /** Another tab or device has stored text that this one does not continue. */
  onNewerText: (draft: { id: string; updatedAt: string }) => void;
}

export type DraftSync = ReturnType<typeof createDraftSync>;

/** Stores what is typed: on the device at once, and on the server after a pause. */
export const createDraftSync = (options: Options) => {
  const { account, page, isNew, initial, read, writeCopy, removeCopy } = options;
  let { draft, baseVersion, previous } = options;
  /** Increases as the user types. */
  let typedVersion = 0;
  let storedVersion = 0;
  let settled: 'post' | 'server' = previous === null ? 'post' : 'server';
  let why: Reason | null = null;
  let isOnDevice = true;
  let isHeld = false;
  let isPaused = false;
  let failures = 0;
  let firstTypedAt = 0;
  /** Texts that the server may have stored, because no answer arrived. */
  let unanswered: PostTexts[] = [];
  let running: Promise<void> | null = null;
  let deviceTimer: ReturnType<typeof setTimeout> | undefined;
  let serverTimer: ReturnType<typeof setTimeout> | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  const isUnsent = (): boolean => typedVersion !== storedVersion;

  const whereabouts = (): Whereabouts => {
    if (!isUnsent()) return { at: settled };
    return why === null ? { at: 'typing' } : { at: isOnDevice ? 'device' : 'page', why };
  };

  let shown = '';
  const show = (): void => {
    const now = whereabouts();
    // Not with every key.
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
    try {
      await writeCopy(copy());
      isOnDevice = true;
    } catch {
      isOnDevice = false;
    }
    if (!isUnsent()) await removeFromDevice();
    show();
  };

  const removeFromDevice = async (): Promise<void> => {
    clearTimeout(deviceTimer);
    deviceTimer = undefined;
    await removeCopy({ account, draft, page }).catch(() => undefined);
  };

  const schedule = (): void => {
    deviceTimer ??= setTimeout(writeToDevice, deviceDelay);
    if (retryTimer !== undefined || isPaused || why === 'signed-out') return;
    clearTimeout(serverTimer);
    const latest = firstTypedAt + longestDelay - Date.now();
    serverTimer = setTimeout(send, Math.max(0, Math.min(typingPause, latest)));
  };

  const retryIn = (milliseconds: number): void => {
    clearTimeout(retryTimer);
    // Not all clients at the same moment.
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
      why = 'newer-text';
      show();
      return Promise.resolve();
    }
    running ??= sendNow().finally(() => {
      running = null;
    });
    return running;
  };

  const sendNow = async (): Promise<void> => {
    const version = typedVersion;
    const fields = read();
    const reply = await put(fields);
    if (!reply.ok) return onFailure(reply, fields);
    unanswered = [];
    failures = 0;
    clearTimeout(retryTimer);
    retryTimer = undefined;
    why = null;
    storedVersion = version;
    firstTypedAt = Date.now();
    previous = reply.value.updatedAt;
    settled = previous === null ? 'post' : 'server';
    // What was typed in the meantime now continues another draft.
    if (isUnsent()) schedule();
    else await removeFromDevice();
    show();
  };

  const put = async (fields: PostTexts): Promise<ApiResult<DraftStored>> => {
    const path = `/api/posts/drafts/${draft}`;
    const signal = AbortSignal.timeout(timeout);
    if (isNew && sameTexts(fields, initial)) {
      const isStored = previous !== null || unanswered.length > 0;
      const reply = isStored ? await callApi('DELETE', path, undefined, { signal }) : null;
      return reply?.ok === false ? reply : { ok: true, value: { id: draft, updatedAt: null } };
    }
    unanswered = [...unanswered.slice(-4), fields];
    const body = { ...fields, account, previous, ...(baseVersion !== null && { baseVersion }) };
    return callApi<DraftStored>('PUT', path, body, { signal });
  };

  const onFailure = async ({ problem, retryAfter }: Failure, fields: PostTexts): Promise<void> => {
    failures += 1;
    const delay =
      retryAfter === null
        ? Math.min(retryDelay * 2 ** (failures - 1), longestRetryDelay)
        : retryAfter * 1_000;
    switch (problem?.code) {
      case undefined:
        why = navigator.onLine ? 'unreachable' : 'offline';
        retryIn(delay);
        break;
      case 'draft_changed':
        return compareWithServer(fields);
      case 'not_signed_in':
        why = 'signed-out';
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

  /** The server has another draft than this text continues; it may be one of its own. */
  const compareWithServer = async (fields: PostTexts): Promise<void> => {
    const signal = AbortSignal.timeout(timeout);
    const path = `/api/posts/drafts/${draft}`;
    const reply = await callApi<Draft>('GET', path, undefined, { signal });
    if (reply.ok) {
      const stored = reply.value;
      if (!unanswered.some((sent) => sameTexts(sent, stored.fields))) {
        isHeld = true;
        why = 'newer-text';
        options.onNewerText(stored);
        show();
        return;
      }
      previous = stored.updatedAt;
    } else if (reply.problem?.code === 'not_found') {
      previous = null;
    } else return onFailure(reply, fields);
    retryIn(0);
  };

  return {
    /** Call it after each change of the form. */
    typed(): void {
      if (!isUnsent()) firstTypedAt = Date.now();
      typedVersion += 1;
      schedule();
      show();
    },

    isUnsent,

    /** Whether the text of this page is stored under the id. */
    isOf: (id: string): boolean => id === draft,

    /** Stores what is typed now, as far as possible. */
    async flush(): Promise<void> {
      if (!isUnsent()) return;
      await Promise.all([writeToDevice(), send()]);
    },

    /** The connection or the session may be back. */
    wake(): void {
      clearTimeout(retryTimer);
      retryTimer = undefined;
      void send();
    },

    /** Keeps text off the server while another text there waits for a decision. */
    hold(): void {
      isHeld = true;
    },

    /** @param updatedAt of the draft that is on the server now, and may be replaced */
    release(updatedAt: string | null): void {
      isHeld = false;
      previous = updatedAt;
      void send();
    },

    /** The form now has the text of a copy, which this page continues. */
    adopt(other: DeviceCopy): void {
      ({ draft, baseVersion } = other);
    },

    /** A draft that a save may delete: that of this text. */
    savedDraft: (): string | undefined => (previous === null || isHeld ? undefined : draft),

    /** A save must not be overtaken by an older request. */
    async pause(): Promise<void> {
      isPaused = true;
      clearTimeout(serverTimer);
      await running;
    },

    resume(): void {
      isPaused = false;
      if (isUnsent()) schedule();
    },

    /** The text is saved, or discarded. */
    async finish(): Promise<void> {
      isPaused = true;
      clearTimeout(retryTimer);
      storedVersion = typedVersion;
      await removeFromDevice();
    },
  };
};
