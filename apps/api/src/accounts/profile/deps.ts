import type { Publisher } from '../../publishing/publisher.ts';
import type { Deps as SessionDeps } from '../sessions/deps.ts';
import type { Avatars } from './avatars.ts';

export interface Deps extends SessionDeps {
  publisher: Publisher;
  avatars: Avatars;
}
