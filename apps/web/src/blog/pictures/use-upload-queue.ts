import type { Picture } from '@app/contract/blog/picture-replies';
import { pictureTexts } from '@app/site/blog/pictures';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createUploadQueue, type Upload } from './upload-queue.ts';

interface QueueOptions {
  /** Returns an announcement for screen readers. */
  onStored: (upload: Upload, picture: Picture) => string;
  onFailed?: (upload: Upload) => void;
}

const none: readonly Upload[] = [];

/**
 * An upload queue for the lifetime of the component. Asks before the user leaves the page during an
 * upload.
 * @param options only those of the first render are used
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
