import { services } from '@app/site/navigation';
import type { Page } from 'playwright/test';
import { expect, test } from '../support/site-test.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const linkTo = (id: string): string =>
  services.links.find(({ path }) => path === `/services#${id}`)?.label ?? '';

const sections = [
  [linkTo('betty'), 'betty'],
  [linkTo('custom-ai'), 'custom-ai'],
  [linkTo('website-redesign'), 'website-redesign'],
] as const;

async function followServiceLink(page: Page, name: string, isMobile: boolean): Promise<void> {
  if (isMobile) await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('navigation', { name: 'Main' });
  const link = menu.getByRole('link', { name });
  // On a phone, the list stays expanded when the menu closes.
  if (!(await link.isVisible())) await menu.getByText('Services', { exact: true }).click();
  await link.click();
}

async function expectAtTop(page: Page, id: string): Promise<void> {
  // Below the header, because of scroll-padding-top. Tolerates rounding.
  await expect
    .poll(() => page.locator(`#${id}`).evaluate((node) => node.getBoundingClientRect().top))
    .toBeCloseTo(96, -1);
}

const scrolledBy = (page: Page) => page.evaluate(() => scrollY);

/** Tolerates rounding. */
const expectScrolledBy = (page: Page, pixels: number) =>
  expect.poll(() => scrolledBy(page)).toBeCloseTo(pixels, -1);

test('a link from another page opens the top, then scrolls to its section after 300 ms', async ({
  page,
  isMobile,
}) => {
  const [[name, id]] = sections;
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      document.documentElement.dataset['readyAt'] = `${performance.now()}`;
    });
    addEventListener('scroll', () => {
      document.documentElement.dataset['movedAt'] ??= `${performance.now()}`;
    });
  });
  await page.goto('/contact');
  await followServiceLink(page, name, isMobile);
  await page.waitForURL(`/services#${id}`);
  await expectAtTop(page, id);

  const { readyAt, movedAt } = await page.evaluate(() => ({
    ...document.documentElement.dataset,
  }));
  expect(Number(movedAt) - Number(readyAt)).toBeGreaterThanOrEqual(299);
  await page.goBack();
  await expect(page).toHaveURL('/contact');
});

test('links on the page itself scroll to the sections', { tag: ['@full', '@phone'] }, async ({
  page,
  isMobile,
}) => {
  await page.goto('/services');
  for (const [name, id] of sections) {
    await followServiceLink(page, name, isMobile);
    await expectAtTop(page, id);
    await expect(page).toHaveURL(`/services#${id}`);
  }
});

test('scrolling is smooth, except with reduced motion', { tag: '@full' }, async ({ page }) => {
  await page.goto('/services');
  const root = page.locator('html');
  await expect(root).toHaveCSS('scroll-behavior', 'smooth');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(root).toHaveCSS('scroll-behavior', 'auto');
});

test('Back and a reload restore the scroll position', { tag: '@full' }, async ({
  page,
  isMobile,
}) => {
  await page.goto('/contact');
  await followServiceLink(page, linkTo('betty'), isMobile);
  await page.waitForURL('/services#betty');
  await expectAtTop(page, 'betty');
  await page.locator('#questions').evaluate((node) => node.scrollIntoView({ behavior: 'instant' }));
  const place = await scrolledBy(page);

  await page.reload();
  await expectScrolledBy(page, place);

  await page.goto('/contact');
  await page.goBack();
  await expect(page).toHaveURL('/services#betty');
  await expectScrolledBy(page, place);
});

test('without scripts, a link jumps to its section, and both pages of the comparison are fully shown', {
  tag: '@full',
}, async ({ newVisitor }) => {
  const page = await newVisitor({ javaScriptEnabled: false });
  await page.goto('/services');
  await expect(page.getByRole('slider')).toBeHidden();
  await expect(page.getByText('Welcome to our web site!')).toBeVisible();
  await expect(page.getByText('Leak? We’re on our way.')).toBeVisible();
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Custom AI/ })
    .click();
  await expect(page).toHaveURL('/services#custom-ai');
  await expect(page.getByRole('heading', { name: /^Custom AI/ })).toBeInViewport();
});

test.describe('the before and after divider', () => {
  test('moves by keyboard and announces its position', async ({ page }) => {
    await page.goto('/services');
    const divider = page.getByRole('slider', { name: /old page and the new one/ });
    await expect(divider).toHaveAttribute('aria-valuetext', '50% old page, 50% new page');
    await divider.focus();
    await divider.press('ArrowLeft');
    await expect(divider).toHaveAttribute('aria-valuetext', '49% old page, 51% new page');
    await divider.press('End');
    await expect(divider).toHaveAttribute('aria-valuetext', '100% old page, 0% new page');
    await divider.press('Home');
    await expect(divider).toHaveAttribute('aria-valuetext', '0% old page, 100% new page');
  });

  test('follows the pointer and reveals the new page', { tag: ['@full', '@phone'] }, async ({
    page,
  }) => {
    await page.goto('/services');
    const divider = page.getByRole('slider', { name: /old page and the new one/ });
    await divider.scrollIntoViewIfNeeded();
    const box = await divider.boundingBox();
    if (!box) throw new Error('the divider is not on the page');
    const middle = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width / 2, middle);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 4, middle, { steps: 4 });
    await page.mouse.up();

    await expect.poll(() => divider.inputValue().then(Number)).toBeLessThan(30);
    const old = Number(await divider.inputValue());
    await expect(divider).toHaveAttribute(
      'aria-valuetext',
      `${old}% old page, ${100 - old}% new page`,
    );
    const share = () =>
      divider.evaluate(
        ({ parentElement }) =>
          parentElement && Number(getComputedStyle(parentElement).getPropertyValue('--old')),
      );
    await expect.poll(share).toBe(old / 100);
  });
});

test('eight questions open one at a time', { tag: '@full' }, async ({ page }) => {
  await page.goto('/services');
  const questions = page.locator('#questions');
  await expect(questions.locator('details')).toHaveCount(8);
  const open = questions.locator('details[open]');
  await expect(open).toHaveCount(0);

  const question = (index: number) => questions.locator('summary').nth(index);
  await question(0).click();
  await expect(open).toHaveCount(1);
  await question(7).click();
  await expect(open).toHaveCount(1);
  await expect(open.and(questions.locator('details').last())).toBeVisible();
  await question(7).click();
  await expect(open).toHaveCount(0);
});
