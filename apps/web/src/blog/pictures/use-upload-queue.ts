import type { Picture } from '@app/contract/blog/picture-replies';
import { pictureTexts } from '@app/site/blog/pictures';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createUploadQueue, type Upload } from './upload-queue.ts';

interface QueueOptions {
  /** Returns what is announced. */
  onStored: (upload: Upload, picture: Picture) => string;
  onFailed?: (upload: Upload) => void;
}

const none: readonly Upload[] = [];

/**
 * A queue for as long as the component is there. Leaving the page while it uploads asks first.
 * @param options those of the first call are used
 */
export const useUploadQueue = ({ onStored, onFailed }: QueueOptions) => {
  const [announcement, announce] = useState('');
  const [queue] = useState(() =>
    createUploadQueue((upload) => {
      const { name, picture, problem } = upload;
      if (picture) {
        announce(onStored(upload, picture));
      } else {
        onFailed?.(upload);
        announce(pictureTexts.says.failed(name, problem ?? ''));
      }
    }),
  );
  const uploads = useSyncExternalStore(queue.subscribe, queue.uploads, () => none);
  const isSending = uploads.some(({ state }) => state === 'sending' || state === 'waiting');

  useEffect(() => {
    if (!isSending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isSending]);

  return { queue, uploads, announcement, announce };
};
