import { useEffect, useRef, useState } from 'react';
import { fetchSession } from '../../accounts/menu/fetch-session.ts';
import { accountAtStart, recallAccount } from '../../accounts/menu/remembered-account.ts';
import { stayWhenSignedOut } from '../../http/call-api.ts';

export interface Writer {
  state: 'loading' | 'signed-out' | 'may-not-write' | 'ready';
  /** The id of the account. */
  account: string | null;
  /** Whether the user typed something before the session was known. */
  hasTyped: boolean;
}

/** In milliseconds. Bounded, because typed text cannot be stored before the account is known. */
const sessionTimeout = 2_000;

/**
 * Checks the session, because the readable cookie can outlive it. Allows writing while the API is
 * slow or unreachable. Stores text typed in an ended session for the remembered account.
 */
export const useWriter = (isTyped: () => boolean): Writer => {
  const [writer, setWriter] = useState<Writer>({
    state: 'loading',
    account: null,
    hasTyped: false,
  });
  const isTypedNow = useRef(isTyped);

  useEffect(() => {
    // A sign-out in another tab must not discard the text.
    stayWhenSignedOut();
    // The first request that fails because the session has ended removes the remembered account.
    const remembered = (recallAccount() ?? accountAtStart)?.id ?? null;
    const update = (state: Writer['state'], account = remembered) =>
      setWriter({ state, account, hasTyped: isTypedNow.current() });
    const timer = setTimeout(update, sessionTimeout, 'ready');
    const check = async () => {
      const reply = await fetchSession();
      clearTimeout(timer);
      if (!reply.ok) return update('ready');
      const { user } = reply.value;
      if (user) update(user.mayWrite ? 'ready' : 'may-not-write', user.id);
      else update('signed-out');
    };
    void check();
    return () => clearTimeout(timer);
  }, []);

  return writer;
};
