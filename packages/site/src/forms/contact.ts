export const contactForm = {
  phone: 'Phone',
  company: 'Company',
  service: 'What is it about?',
  submit: 'Send message',
  /** Its options, also in the email about the message. */
  services: {
    general: 'General question',
    betty: 'Betty AI Assistant',
    custom: 'Custom AI Solutions',
    website: 'Website Redesign',
    demo: 'A demo',
  },
} as const;
