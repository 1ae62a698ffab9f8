import { createContext } from 'react';
import type { Outcome } from '../../http/call-api.ts';

/**
 * Makes a change that may ask for a recent sign-in. When it does, the person is asked to prove
 * who they are, and the change is made again.
 */
export type Prove = <Value>(change: () => Promise<Outcome<Value>>) => Promise<Outcome<Value>>;

export const ProveContext = createContext<Prove>((change) => change());
