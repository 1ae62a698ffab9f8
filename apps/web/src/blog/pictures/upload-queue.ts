import { blogMessages } from '@app/contract/blog/messages';
import type { Picture } from '@app/contract/blog/picture-replies';
import { imageField, imageMessages } from '@app/contract/images';
import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import type { ApiResult, Failure } from '../../http/call-api.ts';
import { sendFile } from '../../http/send-file.ts';

export interface Upload {
  /** From `newUploadId`. */
  id: number;
  name: string;
  state: 'waiting' | 'sending' | 'failed' | 'stored';
  /** From 0 to 1. */
  sent: number;
  problem: string | null;
  canRetry: boolean;
  picture: Picture | null;
}

type SendPicture = (
  file: File,
  options: { onProgress: (fraction: number) => void; signal: AbortSignal },
) => Promise<ApiResult<Picture>>;

export type UploadQueue = ReturnType<typeof createUploadQueue>;

const waiting = {
  state: 'waiting',
  sent: 0,
  problem: null,
  canRetry: false,
  picture: null,
} as const;

/** Uploads files one by one, because the server processes one per account at a time. */
export const createUploadQueue = (
  onEnd: (upload: Upload) => void,
  send: SendPicture = sendPicture,
) => {
  let uploads: readonly Upload[] = [];
  const files = new Map<number, File>();
  const listeners = new Set<() => void>();
  let running: { id: number; controller: AbortController } | null = null;

  const set = (next: readonly Upload[]) => {
    uploads = next;
    for (const listener of listeners) listener();
  };
  const change = (id: number, part: Partial<Upload>) =>
    set(uploads.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
  const end = (id: number, part: Partial<Upload>) => {
    change(id, part);
    const upload = uploads.find((one) => one.id === id);
    if (upload) onEnd(upload);
  };

  const sendNext = async (): Promise<void> => {
    const next = uploads.find(({ state }) => state === 'waiting');
    const file = next && files.get(next.id);
    if (running || !next || !file) return;
    const { id } = next;
    const controller = new AbortController();
    running = { id, controller };
    change(id, { state: 'sending', sent: 0 });
    const { signal } = controller;
    const reply = await send(file, { onProgress: (sent) => change(id, { sent }), signal });
    running = null;
    if (!signal.aborted) {
      if (reply.ok) {
        files.delete(id);
        end(id, { state: 'stored', picture: reply.value });
      } else {
        end(id, { state: 'failed', problem: reasonOf(reply), canRetry: mayRetry(reply) });
      }
    }
    await sendNext();
  };

  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    uploads: () => uploads,

    add(added: readonly { id: number; file: File }[]) {
      for (const { id, file } of added) files.set(id, file);
      set([...uploads, ...added.map(({ id, file: { name } }) => ({ ...waiting, id, name }))]);
      for (const { id, file } of added) {
        if (file.size > limits.imageBytes) {
          end(id, { state: 'failed', problem: imageMessages.tooLarge });
        }
      }
      void sendNext();
    },

    /** Adds a picture from the library, so that it can be described. */
    addStored(id: number, name: string, picture: Picture) {
      set([...uploads, { ...waiting, id, name, state: 'stored', picture }]);
    },

    retry(id: number) {
      change(id, waiting);
      void sendNext();
    },

    /** Also cancels a running upload. */
    remove(id: number) {
      files.delete(id);
      set(uploads.filter((upload) => upload.id !== id));
      if (running?.id === id) running.controller.abort();
    },
  };
};

const sendPicture: SendPicture = (file, options) => {
  const body = new FormData();
  body.set(imageField, file);
  return sendFile<Picture>('POST', '/api/posts/pictures', body, options);
};

const reasonOf = ({ problem }: Failure): string =>
  problem
    ? (problem.issues?.[0]?.message ?? problem.detail)
    : `${blogMessages.pictures.uploadFailed}. ${messages.forms.unreachable}`;

/** False if the file itself was rejected. */
const mayRetry = ({ problem }: Failure): boolean =>
  !problem || !(problem.status === 413 || problem.status === 422);
