/** Forms of the pages below /auth. Headings are in ../pages/accounts.ts. */
export const signInForms = {
  tabs: 'Sign in or sign up',
  signIn: { submit: 'Sign In', submitting: 'Signing in...' },
  signUp: { submit: 'Sign Up', submitting: 'Signing up...' },
  /** Followed by the error (spec §2). */
  error: 'Authentication error:',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: (min: number) => `At least ${min} characters.`,
  showPassword: 'Show password',
  capsLock: 'Caps Lock is on.',
  forgot: 'Forgot your password?',
  forgotSubmit: 'Email me a link',
  resetSubmit: 'Save and sign in',
  resend: 'Resend confirmation email',
} as const;
