import { createContext } from 'react';
import type { Failure } from '../../http/call-api.ts';

interface Reauthentication {
  isAsking: boolean;
  /** If the API requires a recent sign-in, asks the user to sign in and submits the form again. */
  askIfRequired: (failure: Failure, form: HTMLFormElement) => void;
}

export const ReauthenticationContext = createContext<Reauthentication>({
  isAsking: false,
  askIfRequired: () => undefined,
});
