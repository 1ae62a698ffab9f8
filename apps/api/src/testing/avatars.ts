import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AvatarSaved } from '@app/contract/accounts/avatars';
import { smallAvatarUrl } from '@app/contract/accounts/avatars';
import type { Profile } from '@app/contract/accounts/profile';
import { expect } from 'vitest';
import type { SignedIn } from '../accounts/sessions/sessions.ts';
import { requestDeletion } from './account-deletion.ts';
import { plainPicture } from './pictures.ts';
import { signedInBrowser, type TestApp, type TestBrowser } from './test-app.ts';

export const picture = () => plainPicture().png().toBuffer();

export const profileOf = async (browser: TestBrowser): Promise<Profile> =>
  (await (await browser.get('/api/profile')).json()) as Profile;

/** The URL of the avatar that a request has stored. */
export const savedBy = async (response: Response): Promise<string> => {
  expect(response.status).toBe(200);
  return ((await response.json()) as AvatarSaved).avatarUrl;
};

/** Uploads an avatar for an account that is deleted before the avatar is stored. */
export async function saveAfterDeletion(testApp: TestApp): Promise<void> {
  const ann = await signedInBrowser(testApp, 'ann@example.com');
  const { id: userId } = await profileOf(ann);
  expect((await requestDeletion(ann)).status).toBe(204);
  const session = { id: 'ended', signedInAt: 0 };
  const user: SignedIn = { userId, email: 'ann@example.com', role: 'member', session, renewed: [] };
  const saved = await testApp.deps.avatars.save(user, await picture());
  expect(saved).toEqual({ refused: 'not_signed_in' });
}

/** Their paths in DATA_DIR, sorted. */
export async function filesIn(
  { dataDir }: Pick<TestApp, 'dataDir'>,
  folder = 'uploads',
): Promise<string[]> {
  const path = join(dataDir, folder);
  if (!existsSync(path)) return [];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(dataDir.length))
    .sort();
}

/** The paths of an avatar in both sizes. */
export const both = (avatarUrl: string): string[] => [smallAvatarUrl(avatarUrl), avatarUrl].sort();
