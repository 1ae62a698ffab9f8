import type { PostPresent } from '@app/contract/blog/presence-replies';
import { useEffect, useState } from 'react';
import { callApi } from '../../../http/call-api.ts';

/** In milliseconds. The server forgets a page after 30 seconds. */
const interval = 15_000;

/** The names, where they have one, of the others who have the post open. Asks only while this page is visible. */
export const useOthers = (post: string | undefined): PostPresent['others'] => {
  const [others, setOthers] = useState<PostPresent['others']>([]);

  useEffect(() => {
    if (post === undefined) return;
    const stay = async () => {
      if (document.visibilityState !== 'visible') return;
      // Requests without an answer must not add up: browsers limit them, a save would have to wait.
      const signal = AbortSignal.timeout(interval);
      const reply = await callApi<PostPresent>('POST', '/api/posts/presence', { post }, { signal });
      setOthers(reply.ok ? reply.value.others : []);
    };
    const leave = () => {
      const body = { post, isLeaving: true };
      // The request outlives the page.
      void callApi('POST', '/api/posts/presence', body, { keepalive: true });
    };
    void stay();
    const timer = setInterval(stay, interval);
    document.addEventListener('visibilitychange', stay);
    addEventListener('pagehide', leave);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', stay);
      removeEventListener('pagehide', leave);
    };
  }, [post]);

  return others;
};
