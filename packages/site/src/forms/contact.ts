export const contactForm = {
  phone: 'Phone',
  company: 'Company',
  service: 'What is it about?',
  submit: 'Send message',
} as const;
