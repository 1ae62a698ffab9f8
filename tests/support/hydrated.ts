import { expect, type Locator, type Page } from 'playwright/test';

/**
 * Waits until React handles the form of a control that has the focus or the pointer. Before that,
 * the browser posts the form natively. Returns immediately where scripts are disabled.
 */
export async function hydrated(page: Page, control: Locator): Promise<void> {
  // head-script.ts sets the theme.
  if ((await page.locator('html:is(.light, .dark)').count()) === 0) return;
  const isHydrated = () =>
    control.evaluate((element) => element.closest('form[data-enhanced]') !== null);
  await expect.poll(isHydrated).toBe(true);
}

/** Fills a field, and waits until React handles its form. */
export async function fillHydrated(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await hydrated(field.page(), field);
}

/** Presses a submit button once React handles its form. */
export async function pressHydrated(button: Locator): Promise<void> {
  await button.focus();
  await hydrated(button.page(), button);
  await button.click();
}
