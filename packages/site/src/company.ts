interface Phone {
  readonly label: string;
  /** The number to dial, as a `tel:` URL. */
  readonly href: string;
}

/** Sample data. The domain is reserved for examples (RFC 2606), the phone numbers for fiction. */
export const company = {
  name: 'Fieldlight AI',
  domain: 'fieldlight.example',
  founded: 2024,
  copyrightYear: 2025,
  summary:
    'Betty answers the phone for home service businesses, day and night. We also build custom AI, redesign websites and help teams hire AI and ML engineers.',
  mailboxes: {
    hello: 'hello@fieldlight.example',
    privacy: 'privacy@fieldlight.example',
    legal: 'legal@fieldlight.example',
    careers: 'careers@fieldlight.example',
  },
  phones: {
    /** Use `null as Phone | null` if the company has no office number. */
    office: { label: '(555) 010-0100', href: 'tel:+15550100100' } as Phone | null,
    /** Required, because several pages invite visitors to call it. */
    bettyDemo: { label: '(555) 010-0142', href: 'tel:+15550100142' },
  },
  bookingUrl: 'https://cal.fieldlight.example/intro',
  social: [
    { label: 'LinkedIn', href: 'https://www.linkedin.com/company/fieldlight-example' },
    { label: 'GitHub', href: 'https://github.com/fieldlight-example' },
  ],
} as const;
