/** Pages below /auth. The texts of their forms are in ../accounts. */
export const accountPages = {
  signIn: {
    title: 'Sign In',
    description: 'Sign in or create an account to write for the blog.',
    heading: 'Your account',
    text: 'Sign in to write and manage posts.',
    /** Followed by a link. Shown without JavaScript, which redirects signed-in users. */
    alreadySignedIn: 'Already signed in?',
    openProfile: 'Open your profile',
    or: 'or',
    google: 'Sign in with Google',
  },
  forgot: {
    title: 'Forgot your password',
    description: 'Request a link to choose a new password.',
    heading: 'Forgot your password?',
    text: 'Enter the email address of your account. We’ll send you a link to choose a new password.',
    back: 'Back to sign in',
  },
  reset: {
    title: 'Choose a new password',
    description: 'Choose a new password for your account.',
    heading: 'Choose a new password',
    text: 'You’ll be signed in here and signed out on all other devices.',
  },
  confirm: {
    title: 'Confirm your email',
    description: 'Confirm your email address to finish signing up.',
    heading: 'One click to go',
    text: 'Press the button to confirm that this email address is yours. You’ll be signed in.',
    button: 'Confirm',
  },
  changeEmail: {
    title: 'Confirm your new email',
    description: 'Confirm the new email address of your account.',
    heading: 'Your new address',
    text: 'Press the button to confirm that it’s yours. You’ll sign in with it from then on.',
    button: 'Use this address',
  },
  cancelEmailChange: {
    title: 'Cancel your email change',
    description: 'Keep the email address of your account.',
    heading: 'Wasn’t this you?',
    text: 'Press the button to keep your email address. The device that requested the change will be signed out.',
    /** Followed by the address. */
    address: 'The new address would have been',
    button: 'Cancel the change',
  },
} as const;

export const profilePage = {
  title: 'Profile',
  description: 'Your profile and account settings.',
} as const;
