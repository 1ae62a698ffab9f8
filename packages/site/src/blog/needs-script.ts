/** On the screens of writers, instead of their controls. */
export const needsScript =
  'Writing and managing posts needs JavaScript: allow it in your browser, then reload this page.';
