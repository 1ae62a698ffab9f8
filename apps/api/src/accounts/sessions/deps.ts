import type { Deps as ServerDeps } from '../../server/deps.ts';
import type { Sessions } from './sessions.ts';
import type { TrustedDevices } from './trusted-devices.ts';

export interface Deps extends ServerDeps {
  sessions: Sessions;
  trustedDevices: TrustedDevices;
}
