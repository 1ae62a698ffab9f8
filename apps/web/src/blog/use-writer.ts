import type { SessionReply } from '@app/contract/accounts';
import { useEffect, useState } from 'react';
import { callApi, forgetSignedIn } from '../http/call-api.ts';

/** What is known of the person at the editor. */
export type Writer = 'loading' | 'signed-out' | 'may-not-write' | 'ready';

/**
 * Asks once who is signed in: the readable cookie may outlive the session. When
 * the API cannot be reached the person may go on writing; saving will tell.
 */
export const useWriter = (): Writer => {
  const [writer, setWriter] = useState<Writer>('loading');

  useEffect(() => {
    const ask = async () => {
      const reply = await callApi<SessionReply>('GET', '/api/auth/session');
      if (!reply.ok) {
        setWriter('ready');
        return;
      }
      const { user } = reply.value;
      if (!user) forgetSignedIn();
      setWriter(!user ? 'signed-out' : user.mayWrite ? 'ready' : 'may-not-write');
    };
    void ask();
  }, []);

  return writer;
};
