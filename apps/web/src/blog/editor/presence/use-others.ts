import type { PostPresent } from '@app/contract/blog/presence-replies';
import { useEffect, useState } from 'react';
import { callApi } from '../../../http/call-api.ts';

/** In milliseconds. The server drops a page after 30 seconds without a request. */
const interval = 15_000;

/**
 * The names of other writers who have the post open; null for those without one. Sends requests
 * only while this page is visible.
 */
export const useOthers = (post: string | undefined): PostPresent['others'] => {
  const [others, setOthers] = useState<PostPresent['others']>([]);

  useEffect(() => {
    if (post === undefined) return;
    const reportPresence = async () => {
      if (document.visibilityState !== 'visible') return;
      // Hanging requests must not add up: browsers limit their number, so a save would have to
      // wait.
      const signal = AbortSignal.timeout(interval);
      const reply = await callApi<PostPresent>('POST', '/api/posts/presence', { post }, { signal });
      setOthers(reply.ok ? reply.value.others : []);
    };
    const leave = () => {
      const body = { post, isLeaving: true };
      // Lets the request outlive the page.
      void callApi('POST', '/api/posts/presence', body, { keepalive: true });
    };
    void reportPresence();
    const timer = setInterval(reportPresence, interval);
    document.addEventListener('visibilitychange', reportPresence);
    addEventListener('pagehide', leave);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', reportPresence);
      removeEventListener('pagehide', leave);
    };
  }, [post]);

  return others;
};
