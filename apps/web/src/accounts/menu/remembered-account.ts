import { smallAvatarUrl } from '@app/contract/accounts/avatars';
import { initialOf } from '@app/contract/accounts/initials';
import type { User } from '@app/contract/accounts/sign-in';

/** What pages show of who is signed in. */
export type KnownAccount = Pick<User, 'email' | 'username' | 'fullName' | 'avatarUrl'>;

interface RememberedAccount extends KnownAccount {
  /** CSS declarations for the face in the header: head/first-paint.ts puts them on the root. */
  face: string;
}

/** Storage key; forgetSignedIn in http/call-api.ts removes it. */
const key = 'account';

/** Wide enough for the header's face on a screen with two pixels to a CSS pixel, and a bit. */
const faceWidth = 96;

/** Who is signed in, as this browser last knew; null when it knows nothing. */
export const recallAccount = (): RememberedAccount | null => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
};

/**
 * Keeps who is signed in, so that every page shows their face on its first paint. The picture is
 * kept too: one that had to be loaded would come after the letter. Who goes to another page next
 * awaits this, so that the picture is there. Other tabs hear of it at once, this one in the end.
 */
export const rememberAccount = async (account: KnownAccount): Promise<void> => {
  const { email, username, fullName, avatarUrl } = account;
  const known = { email, username, fullName, avatarUrl };
  const last = recallAccount();
  const isSamePicture = last !== null && last.avatarUrl === avatarUrl && hasPicture(last);
  write({ ...known, face: isSamePicture ? last.face : letterFace(email) });
  if (avatarUrl !== null && !isSamePicture) {
    const picture = await loadPicture(smallAvatarUrl(avatarUrl));
    // Meanwhile they may have signed out, or taken another picture.
    if (picture && recallAccount()?.avatarUrl === avatarUrl) {
      write({ ...known, face: `--picture:url(${picture})` });
    }
  }
  // The browser tells the other tabs, but not this one.
  dispatchEvent(new Event('storage'));
};

const write = (account: RememberedAccount): void => {
  try {
    localStorage.setItem(key, JSON.stringify(account));
  } catch {
    // Kept from the site's storage, the face stays empty.
  }
};

const hasPicture = ({ face }: RememberedAccount): boolean => face.startsWith('--picture');

/** As a CSS string: nothing that an address begins with ends it. */
const letterFace = (email: string): string => {
  const letter = initialOf(email);
  return `--letter:"${/["\\\n]/.test(letter) ? 'U' : letter}"`;
};

/** The picture in small as a data URL; null when it cannot be loaded, or is none. */
const loadPicture = async (url: string): Promise<string | null> => {
  try {
    const picture = new Image(faceWidth, faceWidth);
    picture.src = url;
    await picture.decode();
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = faceWidth;
    canvas.getContext('2d')?.drawImage(picture, 0, 0, faceWidth, faceWidth);
    return canvas.toDataURL('image/webp');
  } catch {
    return null;
  }
};
