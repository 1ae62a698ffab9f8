import type { Page } from 'playwright/test';
import { expect, test } from '../support/site-test.ts';

const day = { name: 'light', color: '#fbf7ef' };
const night = { name: 'dark', color: '#0d1413' };

async function expectTheme(page: Page, { name, color }: typeof day): Promise<void> {
  const root = page.locator('html');
  await expect(root).toHaveClass(new RegExp(`(^| )${name}( |$)`));
  await expect(root).not.toHaveClass(new RegExp(name === 'dark' ? 'light' : 'dark'));
  await expect(root).toHaveCSS('color-scheme', name);
  // One for each system preference, all with the same color.
  for (const meta of await page.locator('meta[name="theme-color"]').all()) {
    await expect(meta).toHaveAttribute('content', color);
  }
}

const stored = (page: Page) => page.evaluate(() => localStorage.getItem('theme'));

const choose = async (page: Page, label: string): Promise<void> => {
  const choice = page.getByRole('radio', { name: label });
  if (!(await choice.isVisible())) await page.getByRole('button', { name: 'Theme' }).click();
  await choice.check();
};

test('a choice applies immediately and persists on the next page', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  // Records the root's classes while there is a body, that is, when something can be painted.
  await page.addInitScript(() => {
    const seen = new Set<string>();
    new MutationObserver(() => {
      const root = document.documentElement;
      if (document.body) seen.add(root.className.trim());
      if (document.body) root.dataset['themes'] = [...seen].join();
    }).observe(document, { childList: true, subtree: true, attributeFilter: ['class'] });
  });
  await page.goto('/');
  await expectTheme(page, day);

  await choose(page, 'Dark');
  await expectTheme(page, night);
  await expect.poll(() => stored(page)).toBe('dark');

  for (const path of ['/blog', '/contact']) {
    await page.goto(path);
    await expectTheme(page, night);
    await expect(page.locator('html')).toHaveAttribute('data-themes', 'dark');
  }

  await choose(page, 'Light');
  await expectTheme(page, day);
  await expect.poll(() => stored(page)).toBe('light');
});

test('System follows the operating system while the page is open', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Theme' }).click();
  await expect(page.getByRole('radio', { name: 'System' })).toBeChecked();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectTheme(page, night);

  await choose(page, 'Light');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectTheme(page, day);

  await choose(page, 'System');
  await expectTheme(page, night);
  await expect.poll(() => stored(page)).toBe('system');
  await page.emulateMedia({ colorScheme: 'light' });
  await expectTheme(page, day);
});

test('a choice in one tab applies to all tabs', { tag: '@full' }, async ({ page, context }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  const other = await context.newPage();
  await other.emulateMedia({ colorScheme: 'light' });
  await other.goto('/contact');

  await choose(page, 'Dark');
  await expectTheme(other, night);
  await other.getByRole('button', { name: 'Theme' }).click();
  await expect(other.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await choose(other, 'System');
  await expectTheme(page, day);
});

test('the menu closes after a choice and returns the focus to its button', {
  tag: ['@full', '@phone'],
}, async ({ page }) => {
  await page.goto('/');
  const button = page.getByRole('button', { name: 'Theme' });
  const menu = page.locator('#theme-menu');
  for (const label of ['Dark', 'Dark', 'System']) {
    await button.click();
    await expect(menu).toBeVisible();
    await menu.getByText(label).click();
    await expect(menu).toBeHidden();
  }
  await expectTheme(page, day);
  await button.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await expect(menu).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(menu).toBeHidden();
  await expect(button).toBeFocused();
});

test('the theme can be chosen by keyboard alone', { tag: '@full' }, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  const button = page.getByRole('button', { name: 'Theme' });
  const radio = (name: string) => page.getByRole('radio', { name });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(radio('System')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(radio('Dark')).toBeChecked();
  await expectTheme(page, night);

  await page.keyboard.press('Escape');
  await expect(radio('Dark')).toBeHidden();
  await expect(button).toBeFocused();
  // An open menu must not cover the focused element (WCAG 2.4.11).
  await page.keyboard.press('Space');
  await expect(radio('Dark')).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.locator('#theme-menu')).toBeHidden();
});
