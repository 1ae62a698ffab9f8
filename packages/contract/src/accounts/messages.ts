import { imageMessages } from '../images.ts';
import { inWords } from '../quantities.ts';

/** Separate from messages.ts, because most visitors' forms do not need them. */
export const accountMessages = {
  signIn: {
    done: { title: 'Signed in successfully', description: 'Welcome back!' },
    failed: { title: 'Sign-in failed', description: 'An unexpected error occurred' },
    wrong: 'Incorrect email or password.',
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
    common: 'This is one of the most common passwords. Please choose another one.',
    forgotSent: {
      title: 'Check your inbox',
      description:
        'If an account exists for this address, we sent a link to choose a new password. It works for one hour.',
    },
    changed: {
      title: 'Password changed',
      description: 'You have been signed out on all other devices.',
    },
    deadLink: {
      title: 'This link no longer works',
      description: 'It has expired or was already used. Please request a new one.',
    },
    severalSignUps: {
      title: 'Your email address is confirmed',
      description:
        "There was more than one sign-up with it, and we can't tell which password is yours. Please choose a new one.",
    },
    forgotFailed: 'The link could not be sent',
    resetFailed: 'The password was not changed',
  },
  limits: {
    signIn: (retryAfterSeconds: number) =>
      `Too many sign-in attempts. Please wait ${inWords(retryAfterSeconds)} or reset your password.`,
    emails: (retryAfterSeconds: number) =>
      `We just sent an email. Please check your inbox, or try again in ${inWords(retryAfterSeconds)}.`,
    accounts: (retryAfterSeconds: number) =>
      `Too many requests. Please try again in ${inWords(retryAfterSeconds)}.`,
    busy: 'Many people are signing in right now. Please try again in a moment.',
    /** For static pages, which do not know how long the wait is. */
    notice: {
      title: 'Too many attempts',
      description: 'Please wait a few minutes and try again.',
    },
  },
  reauthentication: {
    title: "Please confirm it's you",
    description:
      'This change requires a recent sign-in, and you signed in more than 10 minutes ago.',
    wrong: 'Incorrect password.',
    signedOut: 'You are no longer signed in. Please sign in.',
  },
  google: {
    failed: 'Google sign-in failed',
    notSetUp: 'Sign-in with Google is not set up on this site.',
    canceled: 'Google sign-in was canceled.',
    unverified:
      'Google has not confirmed your email address. Confirm it there first, or sign up with a password.',
    expired: 'Google sign-in took too long, or was started in another browser. Please try again.',
    /** The account with this email has no password. */
    otherAccount:
      'The account with this address uses another Google account. Sign in with that one, or reset your password.',
    /** The account with this email has a password. */
    link: 'You already have an account with this address. Sign in with its password once to connect Google.',
    linked: { title: 'Google connected', description: 'You can now sign in with Google.' },
  },
  profile: {
    usernameTooShort: 'Username must be at least 3 characters',
    usernameShape: 'Use letters and digits, with single dots, hyphens or underscores between them.',
    usernameTaken: 'This username is taken or looks too similar to another one.',
    usernameReserved: 'This username is reserved. Please choose another one.',
    nameReserved: 'This name belongs to the company or its staff. Please use your own name.',
    usernameMixed: 'Use letters from one alphabet only.',
    nameNeeded: 'Readers see this name on your posts. Please keep it, or choose a username.',
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
    ...imageMessages,
  },
  settings: {
    more: 'More account settings coming soon.',
    emailChangeSent: {
      title: 'Check the inbox of your new address',
      description: 'Your current address stays in use until you follow the link we sent there.',
    },
    emailChanged: {
      title: 'Email address changed',
      description: 'Use it to sign in from now on.',
    },
    emailNotChanged: 'The email was not changed',
    emailSame: 'This is already your email address.',
    emailDeadLink:
      'This link has expired, was already used, was replaced by a newer one, or belongs to a session that ended. Please request a new one.',
    emailChangeCanceled: {
      title: 'Your email address stays as it is',
      description:
        'The change was canceled, and the device that requested it was signed out. Choose a new password now to log out all other devices.',
    },
    emailCancelDeadLink: {
      title: 'There is nothing to cancel',
      description:
        'The change was already canceled or completed, or the link has expired. If your address was changed without your consent, contact us immediately.',
    },
    signInFirst: 'Please sign in first.',
    noSuchDevice: 'That device is already signed out.',
    deviceEnded: 'Device signed out',
    devicesEnded: 'Signed out on all other devices',
    deleted: 'Your account was deleted',
    notDeleted: 'The account was not deleted',
  },
  signedOut: {
    title: 'You are signed out',
    description: 'Your session has ended. Please sign in and try again.',
    link: 'Sign In',
  },
  signOut: {
    done: 'Signed out successfully',
    failed: 'Sign-out failed',
  },
} as const;
