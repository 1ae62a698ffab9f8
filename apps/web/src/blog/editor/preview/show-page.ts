import { patchElement } from './patch-element.ts';

export type PreviewTheme = 'light' | 'dark';

/**
 * Shows a page in the frame's document.
 * @returns false if the frame must be loaded again, because the page has another policy than the
 * one before, and policies add up
 */
export const showPage = (frame: Document, html: string, theme: PreviewTheme): boolean => {
  if (!frame.defaultView) return true;
  // The frame's: browsers apply the policy of the window to what its parser reads.
  const page = new frame.defaultView.DOMParser().parseFromString(html, 'text/html');
  if (policyOf(frame) !== null && policyOf(frame) !== policyOf(page)) return false;
  // They would do nothing, but browsers report each as blocked.
  for (const script of page.querySelectorAll('script')) script.remove();
  for (const control of page.querySelectorAll('[autofocus]')) control.removeAttribute('autofocus');
  page.documentElement.classList.add(theme);
  patchElement(frame.documentElement, page.documentElement);
  return true;
};

const policyOf = (page: Document): string | null =>
  page.querySelector('meta[http-equiv=content-security-policy]')?.getAttribute('content') ?? null;
