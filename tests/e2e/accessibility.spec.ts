import { services } from '@app/site/navigation';
import type { Page } from 'playwright/test';
import { findings, findingsInBothThemes } from '../support/axe.ts';
import { isFullRun } from '../support/full-run.ts';
import { expect, samplePages, test } from '../support/pages-test.ts';

const openDialog = 'main dialog:is([open], :popover-open)';

/** Runs axe with all questions open, and with each dialog open. */
async function findingsInside(page: Page, where: string, look: typeof findings): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('main details')) {
      details.toggleAttribute('open', true);
    }
  });
  found.push(...(await look(page, where)));
  const dialogs = page.locator('main dialog');
  for (let index = 0; index < (await dialogs.count()); index += 1) {
    const dialog = dialogs.nth(index);
    const shown = await dialog.evaluate((element) => {
      if (!(element instanceof HTMLDialogElement) || !element.parentElement?.checkVisibility())
        return false;
      if (element.popover === null) element.showModal();
      else element.showPopover();
      return true;
    });
    if (shown) found.push(...(await look(page, `${where}, dialog ${index + 1}`, openDialog)));
    await page.keyboard.press('Escape');
  }
  return found;
}

test('every page passes axe', { tag: '@phone-full' }, async ({
  page,
  pages,
  pageErrors,
  isMobile,
}) => {
  test.setTimeout(pages.length * 20_000);
  const found: string[] = [];
  const sample = samplePages(pages, pageErrors, isMobile ? 5 : 2);
  for (const [index, { path }] of sample.entries()) {
    // In short runs, every other page is dark.
    const isDark = index % 2 === 0;
    await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
    await page.goto(path);
    found.push(...(await findingsInside(page, path, isFullRun ? findingsInBothThemes : findings)));
  }
  expect(found).toEqual([]);
});

test('the header’s menus pass axe', { tag: '@phone-full' }, async ({ page, isMobile }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Theme' }).click();
  await expect(page.getByRole('radio', { name: 'System' })).toBeVisible();
  const found = await findingsInBothThemes(page, 'theme menu');
  await page.keyboard.press('Escape');

  if (isMobile) await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('banner').locator('summary', { hasText: services.label }).click();
  const [first] = services.links;
  await expect(
    page.getByRole('banner').getByRole('link', { name: first?.label ?? '' }),
  ).toBeVisible();
  found.push(...(await findingsInBothThemes(page, 'services')));
  expect(found).toEqual([]);
});
