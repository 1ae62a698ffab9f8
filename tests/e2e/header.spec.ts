import { services } from '@app/site/navigation';
import type { Locator, Page } from 'playwright/test';
import { expect, test } from '../support/site-test.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const scrollTop = (page: Page) => page.evaluate(() => scrollY);
const scrollTo = (page: Page, top: number) =>
  page.evaluate((to) => window.scrollTo({ top: to, behavior: 'instant' }), top);

test('the skip link skips the header', { tag: '@full' }, async ({ page }) => {
  await page.goto('/');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await page.keyboard.press('Tab');
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  const main = page.getByRole('main');
  await expect(main).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(main.locator(':focus')).toBeVisible();
});

test('the header gets denser once the page is scrolled by more than 10 px', async ({ page }) => {
  await page.goto('/');
  const bar = page.getByRole('banner');
  const looks = () =>
    bar.evaluate((element) => {
      const { backgroundColor, borderBottomColor, boxShadow } = getComputedStyle(element);
      return { backgroundColor, borderBottomColor, boxShadow };
    });
  const atTheTop = await looks();
  await scrollTo(page, 10);
  await expect.poll(() => scrollTop(page)).toBe(10);
  expect(await looks()).toEqual(atTheTop);
  await scrollTo(page, 12);
  await expect.poll(looks).not.toEqual(atTheTop);
  await expect(bar).toBeInViewport({ ratio: 1 });
  await scrollTo(page, 0);
  await expect.poll(looks).toEqual(atTheTop);
});

test('a link opens the top of a page, and Back restores the scroll position', {
  tag: '@full',
}, async ({ page }) => {
  await page.goto('/');
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Blog', exact: true });
  await link.scrollIntoViewIfNeeded();
  const before = await scrollTop(page);
  expect(before).toBeGreaterThan(0);
  await link.click();
  await page.waitForURL('/blog');
  await expect.poll(() => scrollTop(page)).toBe(0);
  await page.goBack();
  await page.waitForURL('/');
  await expect.poll(() => scrollTop(page)).toBe(before);
});

test.describe('the Services dropdown', () => {
  const parts = (page: Page): { summary: Locator; link: Locator } => {
    const banner = page.getByRole('banner');
    const [, second] = services.links;
    return {
      summary: banner.locator('summary', { hasText: services.label }),
      link: banner.getByRole('link', { name: second?.label ?? '', exact: true }),
    };
  };

  test('opens and closes by pointer', { tag: '@full' }, async ({ page }) => {
    await page.goto('/');
    const { summary, link } = parts(page);
    await expect(link).toBeHidden();
    await summary.click();
    await expect(link).toBeVisible();
    await summary.click();
    await expect(link).toBeHidden();
    await summary.click();
    await page.getByRole('heading', { level: 1 }).click();
    await expect(link).toBeHidden();
  });

  test('opens and closes by touch', { tag: '@full' }, async ({ newVisitor }) => {
    const page = await newVisitor({ hasTouch: true });
    await page.goto('/');
    const { summary, link } = parts(page);
    await summary.tap();
    await expect(link).toBeVisible();
    await page.getByRole('heading', { level: 1 }).tap();
    await expect(link).toBeHidden();
    await summary.tap();
    await link.tap();
    await page.waitForURL(/\/services#/);
  });

  test('works by keyboard', async ({ page }) => {
    await page.goto('/');
    const { summary, link } = parts(page);
    await summary.focus();
    for (const key of ['Enter', 'Space']) {
      await page.keyboard.press(key);
      await expect(link).toBeVisible();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      await expect(link).toBeHidden();
      await expect(summary).toBeFocused();
    }
    await page.keyboard.press('Enter');
    for (const entry of services.links) {
      await page.keyboard.press('Tab');
      await expect(page.locator(':focus')).toHaveText(entry.label);
    }
    await expect(link).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(link).toBeHidden();
  });

  test('an entry scrolls to its section, below the header', { tag: '@full' }, async ({ page }) => {
    for (const from of ['/', '/services']) {
      await page.goto(from);
      const { summary, link } = parts(page);
      await summary.click();
      const { hash } = new URL((await link.getAttribute('href')) ?? '', page.url());
      await link.click();
      await page.waitForURL(`/services${hash}`);
      await expect(link).toBeHidden();
      const section = page.locator(hash);
      await expect(section).toBeInViewport();
      const bar = await page.getByRole('banner').boundingBox();
      await expect
        .poll(async () => (await section.boundingBox())?.y ?? 0)
        .toBeGreaterThanOrEqual(bar?.height ?? 0);
    }
  });
});

test.describe('the mobile menu', { tag: '@phone-only' }, () => {
  test('opens and closes by touch', async ({ page }) => {
    await page.goto('/');
    const button = page.getByRole('button', { name: 'Menu' });
    const menu = page.locator('#site-menu');
    await button.tap();
    await expect(menu).toBeVisible();
    await button.tap();
    await expect(menu).toBeHidden();
    await button.tap();
    await expect(menu).toBeVisible();
    await page.touchscreen.tap(180, 730);
    await expect(menu).toBeHidden();
    await button.tap();
    await menu.getByRole('link', { name: 'Contact', exact: true }).tap();
    await page.waitForURL('/contact');
    await expect(menu).toBeHidden();
  });

  test('follows the focus order, returns the focus on Escape, and closes when the focus leaves', {
    tag: '@full',
  }, async ({ page }) => {
    await page.goto('/');
    const button = page.getByRole('button', { name: 'Menu' });
    const menu = page.locator('#site-menu');
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(menu).toBeVisible();
    const stops = menu.locator('summary, a, button').filter({ visible: true });
    const count = await stops.count();
    expect(count).toBeGreaterThan(4);
    for (let index = 0; index < count; index += 1) {
      await page.keyboard.press('Tab');
      await expect(stops.nth(index)).toBeFocused();
    }
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(button).toBeFocused();

    await page.keyboard.press('Enter');
    for (let index = 0; index <= count; index += 1) await page.keyboard.press('Tab');
    await expect(menu).toBeHidden();
    await expect(page.getByRole('main').locator(':focus')).toBeVisible();
  });

  test('lists the services and their sections', { tag: '@full' }, async ({ page }) => {
    await page.goto('/services');
    await page.getByRole('button', { name: 'Menu' }).tap();
    const menu = page.locator('#site-menu');
    await menu.locator('summary', { hasText: services.label }).tap();
    const [, second] = services.links;
    await menu.getByRole('link', { name: second?.label ?? '', exact: true }).tap();
    await expect(menu).toBeHidden();
    await expect(page.locator(new URL(page.url()).hash)).toBeInViewport();
  });
});
