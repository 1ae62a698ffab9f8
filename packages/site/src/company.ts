interface Phone {
  /** Displayed. */
  readonly label: string;
  /** Dialed. */
  readonly href: string;
}

/** Placeholders. The domain is reserved for examples (RFC 2606), the numbers for fiction. */
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
    /** `null as Phone | null` for a company without one. */
    office: { label: '(555) 010-0100', href: 'tel:+15550100100' } as Phone | null,
    /** Required: pages are built around the line on which the product answers. */
    bettyDemo: { label: '(555) 010-0142', href: 'tel:+15550100142' },
  },
  bookingUrl: 'https://cal.fieldlight.example/intro',
  social: [
    { label: 'LinkedIn', href: 'https://www.linkedin.com/company/fieldlight-example' },
    { label: 'GitHub', href: 'https://github.com/fieldlight-example' },
  ],
} as const;
