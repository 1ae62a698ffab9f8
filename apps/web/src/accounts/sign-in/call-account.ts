import { callWhenReady } from '../../http/call-when-ready.ts';

export const callAccount = <Value>(name: string, body: object) =>
  callWhenReady<Value>('POST', `/api/auth/${name}`, body);
