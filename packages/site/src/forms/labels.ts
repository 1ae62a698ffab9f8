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
  /** The label of a field that only bots fill in. */
  honeypot: 'Leave this field empty',
} as const;
