import { useEffect, useState } from 'react';
import { fetchSession } from '../accounts/menu/fetch-session.ts';
import { stayWhenSignedOut } from '../http/call-api.ts';

export type Writer = 'loading' | 'signed-out' | 'may-not-write' | 'ready';

/** The readable cookie may outlive the session. While the API is unreachable, writing stays possible. */
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
