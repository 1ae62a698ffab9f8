import type { Device } from '@app/contract/accounts/settings';
import type { Deps } from './deps.ts';
import type { SignedIn } from './sessions.ts';

/** Latest first. */
export async function listDevices(
  { sessions }: Pick<Deps, 'sessions'>,
  { userId, session }: Pick<SignedIn, 'userId' | 'session'>,
): Promise<Device[]> {
  const list = await sessions.list(userId);
  return list.map(({ id, device, signedInAt, lastSeenAt }) => ({
    id,
    name: device,
    signedInAt: new Date(signedInAt).toISOString(),
    lastSeenAt: new Date(lastSeenAt).toISOString(),
    isCurrent: id === session.id,
  }));
}
