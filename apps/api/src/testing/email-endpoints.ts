/** Below /api/auth, with what their requests have besides an email: never its password. */
export const emailEndpoints = [
  ['sign-up', { password: 'a trap for you' }],
  ['sign-in', { password: 'wrong horse' }],
  ['resend-confirmation', {}],
  ['forgot-password', {}],
] as const;
