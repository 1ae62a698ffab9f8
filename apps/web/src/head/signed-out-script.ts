/*
 * Inlined into the head of pages with `data-signed-out-to`, after head-script.ts: redirects signed-out
 * visitors, at once or after a sign-out in another tab, but never from text that is only in a field.
 */
const root = document.documentElement;

const isTyped = () =>
  [
    ...document.querySelectorAll<HTMLInputElement>(
      'main :is(input:not([type=checkbox]), textarea)',
    ),
  ].some(({ value, defaultValue }) => value !== defaultValue);

const redirect = () => {
  const { signedOutTo } = root.dataset;
  if (!signedOutTo || root.classList.contains('signed-in') || isTyped()) return;
  delete root.dataset['signedOutTo'];
  location.replace(signedOutTo);
};

redirect();
for (const type of ['storage', 'pageshow', 'DOMContentLoaded']) addEventListener(type, redirect);
document.addEventListener('prerenderingchange', redirect);
