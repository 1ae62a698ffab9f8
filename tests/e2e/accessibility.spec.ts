import { services } from '@app/site/navigation';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/pages-test.ts';

/** WCAG 2.1 at level AA, and what the field agrees on beyond it. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

/** What axe finds on the page as it is now: a line for each element. */
async function findings(page: Page, where: string): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${where}: ${id}: ${node.html} (${node.failureSummary})`),
  );
}

/** Opens whatever of the page's own is closed: questions, and dialogs one after another. */
async function findingsInside(page: Page, where: string): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('main details')) {
      details.toggleAttribute('open', true);
    }
  });
  found.push(...(await findings(page, where)));
  const dialogs = page.locator('main dialog');
  for (let index = 0; index < (await dialogs.count()); index += 1) {
    const dialog = dialogs.nth(index);
    const shown = await dialog.evaluate((element) => {
      if (!(element instanceof HTMLDialogElement) || element.closest('.for-signed-in'))
        return false;
      if (element.popover === null) element.showModal();
      else element.showPopover();
      return true;
    });
    if (shown) found.push(...(await findings(page, `${where}, dialog ${index + 1}`)));
    await page.keyboard.press('Escape');
  }
  return found;
}

// Without motion no colour is seen on its way to another.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

for (const theme of ['light', 'dark'] as const) {
  test(`nothing is in anybody’s way on any page, in the ${theme} theme`, async ({
    page,
    pages,
    complaints,
  }) => {
    test.setTimeout(pages.length * 15_000);
    complaints.expect(/status of 404/, '/404');
    await page.emulateMedia({ colorScheme: theme });
    const found: string[] = [];
    for (const { path } of pages) {
      await page.goto(path);
      found.push(...(await findingsInside(page, path)));
    }
    expect(found).toEqual([]);
  });

  test(`nor in the header’s menus, in the ${theme} theme`, async ({ page, isMobile }) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.goto('/');
    await page.getByRole('button', { name: 'Theme' }).click();
    await expect(page.getByRole('radio', { name: 'System' })).toBeVisible();
    const found = await findings(page, 'theme menu');
    await page.keyboard.press('Escape');

    if (isMobile) await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('banner').locator('summary', { hasText: services.label }).click();
    const [first] = services.links;
    await expect(
      page.getByRole('banner').getByRole('link', { name: first?.label ?? '' }),
    ).toBeVisible();
    found.push(...(await findings(page, 'services')));
    expect(found).toEqual([]);
  });
}
