import { useEffect, useState } from 'react';
import { fetchSession } from '../../accounts/menu/fetch-session.ts';
import { recallAccount } from '../../accounts/menu/remembered-account.ts';
import { stayWhenSignedOut } from '../../http/call-api.ts';

export interface Writer {
  is: 'loading' | 'signed-out' | 'may-not-write' | 'ready';
  /** The id of the account. */
  account: string | null;
}

/** In milliseconds: without an account, nothing that is typed can be stored. */
const sessionTimeout = 2_000;

const remembered = (): Writer => ({ is: 'ready', account: recallAccount()?.id ?? null });

/**
 * The readable cookie may outlive the session. While the API is slow or unreachable, writing stays
 * possible.
 */
export const useWriter = (): Writer => {
  const [writer, setWriter] = useState<Writer>({ is: 'loading', account: null });

  useEffect(() => {
    // A sign-out in another tab must not discard the text.
    stayWhenSignedOut();
    const timer = setTimeout(() => setWriter(remembered()), sessionTimeout);
    const check = async () => {
      const reply = await fetchSession();
      clearTimeout(timer);
      if (!reply.ok) return setWriter(remembered());
      const { user } = reply.value;
      const is = !user ? 'signed-out' : user.mayWrite ? 'ready' : 'may-not-write';
      setWriter({ is, account: user?.id ?? null });
    };
    void check();
    return () => clearTimeout(timer);
  }, []);

  return writer;
};
