import { useEffect, useRef, useState } from 'react';
import { fetchSession } from '../../accounts/menu/fetch-session.ts';
import { accountAtStart, recallAccount } from '../../accounts/menu/remembered-account.ts';
import { stayWhenSignedOut } from '../../http/call-api.ts';

export interface Writer {
  is: 'loading' | 'signed-out' | 'may-not-write' | 'ready';
  /** The id of the account. */
  account: string | null;
  /** Whether something was typed until the session was known. */
  hasTyped: boolean;
}

/** In milliseconds: without an account, nothing that is typed can be stored. */
const sessionTimeout = 2_000;

/**
 * The readable cookie may outlive the session. While the API is slow or unreachable, writing stays
 * possible. Text of an ended session is stored for the account that was remembered.
 */
export const useWriter = (isTyped: () => boolean): Writer => {
  const [writer, setWriter] = useState<Writer>({ is: 'loading', account: null, hasTyped: false });
  const isTypedNow = useRef(isTyped);

  useEffect(() => {
    // A sign-out in another tab must not discard the text.
    stayWhenSignedOut();
    // The first request that meets an ended session forgets it.
    const remembered = (recallAccount() ?? accountAtStart)?.id ?? null;
    const write = (is: Writer['is'], account = remembered) =>
      setWriter({ is, account, hasTyped: isTypedNow.current() });
    const timer = setTimeout(write, sessionTimeout, 'ready');
    const check = async () => {
      const reply = await fetchSession();
      clearTimeout(timer);
      if (!reply.ok) return write('ready');
      const { user } = reply.value;
      if (user) write(user.mayWrite ? 'ready' : 'may-not-write', user.id);
      else write('signed-out');
    };
    void check();
    return () => clearTimeout(timer);
  }, []);

  return writer;
};
