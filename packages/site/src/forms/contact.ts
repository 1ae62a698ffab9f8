export const contactForm = {
  phone: 'Phone',
  company: 'Company',
  service: 'What is it about?',
  submit: 'Send message',
  /** Options of the menu. The email about a message quotes them. */
  services: {
    general: 'General question',
    betty: 'Betty AI Assistant',
    custom: 'Custom AI Solutions',
    website: 'Website Redesign',
    demo: 'A demo',
  },
} as const;
