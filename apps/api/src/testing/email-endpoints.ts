/** Below /api/auth, with the fields of their requests except the email. No password is right. */
export const emailEndpoints = [
  ['sign-up', { password: 'a trap for you' }],
  ['sign-in', { password: 'wrong horse' }],
  ['resend-confirmation', {}],
  ['forgot-password', {}],
] as const;
