import type { Deps as ProfileDeps } from '../profile/deps.ts';
import type { Deps as SignInDeps } from '../sign-in/deps.ts';

export interface Deps extends SignInDeps, Pick<ProfileDeps, 'publisher' | 'avatars' | 'userData'> {}
