import { createContext } from 'react';
import type { ApiResult } from '../../http/call-api.ts';

/** Sends a change. If the API requires a recent sign-in, asks for it and sends the change again. */
export type Reauthenticate = <Value>(
  change: () => Promise<ApiResult<Value>>,
) => Promise<ApiResult<Value>>;

export const ReauthenticationContext = createContext<Reauthenticate>((change) => change());
