/** Error pages for forms sent without JavaScript. The form is on the previous page. */
export const unreceivedForm = {
  'too-large': {
    code: '413',
    heading: 'Your text is too long to send',
    text: 'Nothing was saved or sent. Go back in your browser to get to your text. Copy it, shorten it, and send it again.',
  },
  'too-slow': {
    code: '408',
    heading: 'Sending took too long',
    text: 'Your text did not arrive in full, so nothing was saved or sent. Reload this page when your connection is better: your browser still has the text and sends it again.',
  },
} as const;
