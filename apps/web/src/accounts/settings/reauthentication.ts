import { createContext } from 'react';
import type { ApiResult } from '../../http/call-api.ts';

/**
 * Makes a change that may ask for a recent sign-in. When it does, the person is asked to prove
 * who they are, and the change is made again.
 */
export type Reauthenticate = <Value>(
  change: () => Promise<ApiResult<Value>>,
) => Promise<ApiResult<Value>>;

export const ReauthenticationContext = createContext<Reauthenticate>((change) => change());
