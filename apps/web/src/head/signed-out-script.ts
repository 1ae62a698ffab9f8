/*
 * Inlined after head-script.ts into the head of pages with `data-signed-out-to`. Redirects
 * signed-out visitors, on load or after a sign-out in another tab, unless a field has unsaved text.
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
