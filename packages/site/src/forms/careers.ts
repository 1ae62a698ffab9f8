export const careerForm = {
  /** Quoted from the spec (§2): opens the form, and is its heading. */
  heading: 'Send Your Resume',
  resumeLink: 'Resume link',
  submit: 'Send Inquiry',
} as const;
