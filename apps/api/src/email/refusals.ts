/** What a provider can refuse for every email alike, until the operator changes a setting. */
export type Refusal = 'sender' | 'login';

interface RefusalTexts {
  /** How the stored reason of the waiting emails starts. */
  reason: string;
  /** For /api/health. */
  problem: string;
  fix: string;
}

export const refusals: Readonly<Record<Refusal, RefusalTexts>> = {
  sender: {
    reason: 'the sender is refused',
    problem: 'The email provider refuses the sender (MAIL_FROM): emails are waiting.',
    fix: 'Set MAIL_FROM to an address from which the provider lets this site send.',
  },
  login: {
    reason: 'the login is refused',
    problem: 'The email provider refuses the login: emails are waiting.',
    fix: 'Check the login in SMTP_URL, or RESEND_API_KEY.',
  },
};
