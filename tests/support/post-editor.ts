import type { FrameLocator, Locator, Page } from 'playwright/test';

/** CodeMirror's, once it has replaced the textarea. */
export const contentEditor = (page: Page): Locator =>
  page.locator('.cm-content').and(page.getByRole('textbox', { name: 'Content' }));

export const previewOf = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="Preview of the page"]');

/** Narrower, the preview is behind its tab. */
export const isBesideText = (page: Page): boolean => (page.viewportSize()?.width ?? 0) >= 1280;
