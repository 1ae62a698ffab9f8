import { callWhenReady } from '../../forms/submit/call-when-ready.ts';

/** @param name of an endpoint of /api/auth */
export const callAccount = <Value>(name: string, body: object) =>
  callWhenReady<Value>('POST', `/api/auth/${name}`, body);
