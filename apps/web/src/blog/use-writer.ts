import { useEffect, useState } from 'react';
import { fetchSession } from '../accounts/menu/fetch-session.ts';
import { stayWhenSignedOut } from '../http/call-api.ts';

/** What is known of the person at the editor. */
export type Writer = 'loading' | 'signed-out' | 'may-not-write' | 'ready';

/**
 * Asks once who is signed in: the readable cookie may outlive the session. When
 * the API cannot be reached the person may go on writing; saving will tell.
 */
export const useWriter = (): Writer => {
  const [writer, setWriter] = useState<Writer>('loading');

  useEffect(() => {
    // From here on somebody writes, and signing out in another tab is not to take that away.
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
