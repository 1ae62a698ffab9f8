import type { Picture, PictureList } from '@app/contract/blog/picture-replies';
import { useCallback, useEffect, useRef, useState } from 'react';
import { callApi } from '../../../http/call-api.ts';

/** In milliseconds. */
const typingPause = 300;

interface Library {
  pictures: readonly Picture[];
  nextCursor: string | null;
  state: 'loading' | 'ready' | 'failed';
}

const nothing: Library = { pictures: [], nextCursor: null, state: 'loading' };

/** The user's pictures, newest first, page by page. Loads them while the dialog is open. */
export const useLibrary = (isOpen: boolean, query: string) => {
  const [library, setLibrary] = useState(nothing);
  const running = useRef<AbortController>(null);

  const load = useCallback(async (wanted: string, shown: Library) => {
    running.current?.abort();
    const request = new AbortController();
    running.current = request;
    setLibrary({ ...shown, state: 'loading' });
    const parameters = new URLSearchParams({ q: wanted });
    if (shown.nextCursor !== null) parameters.set('cursor', shown.nextCursor);
    const path = `/api/posts/pictures?${parameters}`;
    const { signal } = request;
    const reply = await callApi<PictureList>('GET', path, undefined, { signal });
    if (signal.aborted) return;
    setLibrary(
      reply.ok
        ? {
            pictures: [...shown.pictures, ...reply.value.pictures],
            nextCursor: reply.value.nextCursor,
            state: 'ready',
          }
        : { ...shown, state: 'failed' },
    );
  }, []);

  useEffect(() => {
    if (!isOpen) return;
    setLibrary(nothing);
    const timer = setTimeout(load, query === '' ? 0 : typingPause, query, nothing);
    return () => {
      clearTimeout(timer);
      running.current?.abort();
    };
  }, [isOpen, query, load]);

  return { library, loadMore: () => load(query, library) };
};
