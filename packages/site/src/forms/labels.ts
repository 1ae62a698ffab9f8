/** What several forms have in common. */
export const labels = {
  email: 'Email',
  fullName: 'Full Name',
  message: 'Message',
  optional: '(optional)',
  sending: 'Sending...',
  saving: 'Saving...',
  cancel: 'Cancel',
  close: 'Close',
  dismiss: 'Dismiss',
  /** Of a field that only bots fill in. */
  honeypot: 'Leave this field empty',
} as const;
