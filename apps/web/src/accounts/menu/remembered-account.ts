import { smallAvatarUrl } from '@app/contract/accounts/avatars';
import { initialOf } from '@app/contract/accounts/initials';
import type { User } from '@app/contract/accounts/sign-in';

/** Permissions are optional, because a `Profile` lacks them. */
export type KnownAccount = Pick<User, 'id' | 'email' | 'username' | 'fullName' | 'avatarUrl'> &
  Partial<Pick<User, 'mayWrite' | 'isStaff'>>;

interface RememberedAccount extends KnownAccount {
  /** CSS declarations for the header's avatar, which head/head-script.ts sets on the root. */
  avatarStyle: string;
}

/** Key in localStorage. `forgetSignedIn` in http/call-api.ts removes it. */
const key = 'account';

/** In pixels. Enough for the header's avatar at a device pixel ratio of 2. */
const avatarWidth = 96;

export const recallAccount = (): RememberedAccount | null => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
};

/** Remains available when the session ends while the page is open. */
export const accountAtStart = recallAccount();

/**
 * Stores the account and its picture, so that every page shows the avatar on the first paint. Await
 * this before leaving the page.
 */
export const rememberAccount = async (account: KnownAccount): Promise<void> => {
  const { id, email, username, fullName, avatarUrl } = account;
  const last = recallAccount();
  const mayWrite = account.mayWrite ?? last?.mayWrite ?? true;
  const isStaff = account.isStaff ?? last?.isStaff;
  const known = {
    ...{ id, email, username, fullName, avatarUrl, mayWrite },
    ...(isStaff !== undefined && { isStaff }),
  };
  const isSamePicture = last !== null && last.avatarUrl === avatarUrl && hasPicture(last);
  write({ ...known, avatarStyle: isSamePicture ? last.avatarStyle : initialDeclaration(email) });
  if (avatarUrl !== null && !isSamePicture) {
    const picture = await loadPicture(smallAvatarUrl(avatarUrl));
    // Meanwhile, the user may have signed out or changed the picture.
    if (picture && recallAccount()?.avatarUrl === avatarUrl) {
      write({ ...known, avatarStyle: `${noLetter}--picture:url(${picture})` });
    }
  }
  // Browsers notify only other tabs.
  dispatchEvent(new Event('storage'));
};

const write = (account: RememberedAccount): void => {
  try {
    localStorage.setItem(key, JSON.stringify(account));
  } catch {
    // Without storage, the avatar is empty.
  }
};

/** Otherwise the header would draw a letter over the picture. */
const noLetter = '--letter:"";';

const hasPicture = ({ avatarStyle }: RememberedAccount): boolean =>
  avatarStyle.startsWith(noLetter);

const initialDeclaration = (email: string): string => `--letter:"${CSS.escape(initialOf(email))}"`;

const loadPicture = async (url: string): Promise<string | null> => {
  try {
    const picture = new Image(avatarWidth, avatarWidth);
    picture.src = url;
    await picture.decode();
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = avatarWidth;
    canvas.getContext('2d')?.drawImage(picture, 0, 0, avatarWidth, avatarWidth);
    return canvas.toDataURL('image/webp');
  } catch {
    return null;
  }
};
