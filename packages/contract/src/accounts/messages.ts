import { inWords } from '../quantities.ts';

/** The texts of accounts and profiles; see messages.ts. */
export const accountMessages = {
  signIn: {
    done: { title: 'Signed in successfully', description: 'Welcome back!' },
    failed: { title: 'Sign-in failed', description: 'An unexpected error occurred' },
    wrong: 'The email or the password is not right.',
    failedNotice: 'Failed to sign in',
    notConfirmed: {
      title: 'Email not confirmed',
      description:
        'Please check your email for a confirmation link or resend the confirmation email.',
    },
    notConfirmedNotice:
      'Your email has not been confirmed. Please check your inbox for a confirmation link.',
  },
  signUp: {
    done: {
      title: 'Account created successfully',
      description: 'Please check your email for confirmation instructions.',
    },
    doneNotice: 'Registration successful! Please check your email for confirmation instructions.',
    failed: { title: 'Sign-up failed', description: 'An unexpected error occurred' },
    failedNotice: 'Failed to sign up',
  },
  confirmation: {
    sent: {
      title: 'Confirmation email sent',
      description: 'Please check your inbox for the confirmation link',
    },
    sentNotice: 'Confirmation email sent! Please check your inbox.',
    failed: 'Failed to resend confirmation email',
    emailRequired: 'Email is required to resend confirmation',
    deadLink: 'It looks like there was an issue with your verification link.',
  },
  password: {
    common:
      'This is one of the most used passwords, which are tried first. Please choose another one.',
    forgotSent: {
      title: 'Check your inbox',
      description:
        'If there is an account with this address, a link to choose a new password is on its way. It works for one hour.',
    },
    changed: {
      title: 'Password changed',
      description: 'You are signed out everywhere else.',
    },
    deadLink: {
      title: 'This link no longer works',
      description: 'It was used before, or is too old. Ask for a new one.',
    },
    forgotFailed: 'The link could not be sent',
    resetFailed: 'The password was not changed',
  },
  limits: {
    /** After too many wrong passwords, or from a network that tries too many. */
    signIn: (retryAfterSeconds: number) =>
      `There were too many tries to sign in. Please wait ${inWords(retryAfterSeconds)}, or choose a new password.`,
    mails: (retryAfterSeconds: number) =>
      `An email was sent just now. Please look into your inbox, or try again in ${inWords(retryAfterSeconds)}.`,
    accounts: (retryAfterSeconds: number) =>
      `That was a lot at once. Please try again in ${inWords(retryAfterSeconds)}.`,
    /** Where the time to wait cannot be told: on a page that is the same for everybody. */
    notice: {
      title: 'Too many tries',
      description: 'That was a lot at once. Please wait a few minutes, then try again.',
    },
  },
  again: {
    title: 'Please confirm that it is you',
    description:
      'You signed in more than 10 minutes ago, and this change asks for a recent sign-in.',
    wrong: 'The password is not right.',
    signedOut: 'You are not signed in any more. Please sign in.',
  },
  google: {
    failed: 'Google sign-in failed',
    notSetUp: 'Sign-in with Google is not set up on this site.',
    cancelled: 'Google sign-in was cancelled.',
    unverified:
      'Google has not confirmed your email address. Confirm it there first, or sign up with a password.',
    expired: 'Google sign-in took too long, or was started in another browser. Please try again.',
    /** For an address whose account here has no password to prove it with. */
    otherAccount:
      'The account with this address uses another Google account. Sign in with that one, or ask for a new password.',
    /** For an address that has an account with a password here. */
    link: 'You have an account with this address. Sign in with its password once, and Google is connected to it.',
    linked: { title: 'Google connected', description: 'You can sign in with it from now on.' },
  },
  profile: {
    usernameTooShort: 'Username must be at least 3 characters',
    usernameShape: 'Use letters and digits, with single dots, hyphens or underscores between them.',
    usernameTaken: 'This username is taken, or looks too much like another one.',
    usernameReserved: 'This username is kept for the site itself. Please choose another one.',
    nameReserved:
      'This name belongs to the company or to one of its staff. Please use your own name.',
    usernameMixed: 'Use the letters of one alphabet only.',
    fullNameTooShort: 'Full name must be at least 2 characters',
    updated: {
      title: 'Profile updated',
      description: 'Your profile has been updated successfully.',
    },
    updateFailed: 'Update failed',
    none: 'No profile data available',
  },
  avatar: {
    updated: {
      title: 'Avatar updated',
      description: 'Your profile picture has been updated successfully',
    },
    removed: 'Picture removed',
    failed: 'Upload failed',
    notSignedIn: 'User not authenticated',
    noFile: 'No file selected',
    tooLarge: 'The picture is larger than 5 MB. Please choose a smaller one.',
    tooManyPixels: 'The picture has more than 25 million pixels. Please choose a smaller one.',
    animated: 'Moving pictures are not taken. Please choose one that stands still.',
    unreadable:
      'This is no picture that we can read. Please choose a JPEG, PNG, WebP, AVIF or GIF file.',
    busy: 'Many pictures are being worked on. Please try again in a moment.',
  },
  settings: {
    more: 'More account settings coming soon.',
    emailChangeSent: {
      title: 'Check the inbox of your new address',
      description: 'The old address stays until you follow the link that we sent there.',
    },
    emailChanged: {
      title: 'Email address changed',
      description: 'You sign in with it from now on.',
    },
    emailSame: 'This is your address already.',
    emailDeadLink:
      'This link was used before, was replaced by a newer one, or is too old, or the browser that asked for it was signed out. Please ask for a new one.',
    emailChangeCancelled: {
      title: 'Your email address stays as it is',
      description:
        'The change is canceled, and the browser that asked for it is signed out. Choose a new password now, which signs out all others.',
    },
    emailCancelDeadLink: {
      title: 'There is nothing to cancel',
      description:
        'The change was canceled before, was made, or is too old. If your address was changed without you, write to us at once.',
    },
    signInFirst: 'Please sign in first.',
    noSuchDevice: 'Nobody is signed in there any more.',
    deviceEnded: 'Signed out there',
    devicesEnded: 'Signed out everywhere else',
    deleted: 'Your account is deleted',
  },
  /** For an action of somebody whose session has ended. */
  signedOut: {
    title: 'You are signed out',
    description: 'Your session has ended. Please sign in, then try again.',
    link: 'Sign In',
  },
  signOut: {
    done: 'Signed out successfully',
    failed: 'Sign-out failed',
  },
} as const;
