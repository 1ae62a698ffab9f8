import type { FrameLocator, Locator, Page } from 'playwright/test';

/** CodeMirror's text box, once it has replaced the textarea. */
export const contentEditor = (page: Page): Locator =>
  page.locator('.cm-content').and(page.getByRole('textbox', { name: 'Content' }));

/** The form's field. It gets CodeMirror's text when typing pauses. */
export const contentField = (page: Page): Locator => page.locator('textarea[name=content]');

export const saveButton = (page: Page): Locator =>
  page.getByRole('button', { name: 'Save', exact: true });

export const editorStatus = (page: Page): Locator => page.locator('#editor-status');

export async function openNewPost(page: Page): Promise<void> {
  await page.goto('/blog/editor');
  await contentEditor(page).waitFor();
}

export async function typeAtEnd(page: Page, text: string): Promise<void> {
  await contentEditor(page).click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText(text);
}

export const previewOf = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="Preview of the page"]');

/** In a narrower window, the preview is behind its tab. */
export const isBesideText = (page: Page): boolean => (page.viewportSize()?.width ?? 0) >= 1280;
