import { useEffect, useState } from 'react';
import { fetchSession } from '../accounts/menu/fetch-session.ts';
import { stayWhenSignedOut } from '../http/call-api.ts';

export type Writer = 'loading' | 'signed-out' | 'may-not-write' | 'ready';

/**
 * Checks the session once: the readable cookie may outlive it. If the API is unreachable, writing
 * stays possible and saving reports the error.
 */
export const useWriter = (): Writer => {
  const [writer, setWriter] = useState<Writer>('loading');

  useEffect(() => {
    // A sign-out in another tab must not discard the text.
    stayWhenSignedOut();
    const check = async () => {
      const reply = await fetchSession();
      if (!reply.ok) {
        setWriter('ready');
        return;
      }
      const { user } = reply.value;
      setWriter(!user ? 'signed-out' : user.mayWrite ? 'ready' : 'may-not-write');
    };
    void check();
  }, []);

  return writer;
};
