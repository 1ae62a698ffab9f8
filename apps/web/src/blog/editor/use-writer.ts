import { useEffect, useState } from 'react';
import { fetchSession } from '../../accounts/menu/fetch-session.ts';
import { recallAccount } from '../../accounts/menu/remembered-account.ts';
import { stayWhenSignedOut } from '../../http/call-api.ts';

export interface Writer {
  is: 'loading' | 'signed-out' | 'may-not-write' | 'ready';
  /** The id of the account. */
  account: string | null;
}

/** The readable cookie may outlive the session. While the API is unreachable, writing stays possible. */
export const useWriter = (): Writer => {
  const [writer, setWriter] = useState<Writer>({ is: 'loading', account: null });

  useEffect(() => {
    // A sign-out in another tab must not discard the text.
    stayWhenSignedOut();
    const check = async () => {
      const reply = await fetchSession();
      if (!reply.ok) {
        setWriter({ is: 'ready', account: recallAccount()?.id ?? null });
        return;
      }
      const { user } = reply.value;
      const is = !user ? 'signed-out' : user.mayWrite ? 'ready' : 'may-not-write';
      setWriter({ is, account: user?.id ?? null });
    };
    void check();
  }, []);

  return writer;
};
