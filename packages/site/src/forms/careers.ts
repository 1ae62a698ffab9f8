export const careerForm = {
  /** The form's heading, and the button that opens it (spec §2). */
  heading: 'Send Your Resume',
  resumeLink: 'Resume link',
  submit: 'Send Inquiry',
} as const;
