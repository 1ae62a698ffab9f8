import type { Page } from 'playwright/test';
import { expect, samplePages, test } from '../support/pages-test.ts';
import { desktop, phone } from '../support/screens.ts';
import { idle } from '../support/site-test.ts';

const needsScript = '[class*="noscript:hidden"]';

/** Visible texts of `main`, without controls that need scripts. */
const visibleTexts = (page: Page): Promise<string[]> =>
  page.getByRole('main').evaluate((main, needsScript) => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.textContent?.trim();
      if (!text || !element || element.closest(`noscript, ${needsScript}`)) continue;
      if (element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) {
        texts.push(text);
      }
    }
    return texts;
  }, needsScript);

/** Pixels of horizontal overflow, and the elements that cause it. */
const overflow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    /** Whether the element or an ancestor clips or scrolls its content. */
    const hasFrame = (element: Element | null): boolean =>
      element !== null &&
      element !== document.body &&
      (getComputedStyle(element).overflowX !== 'visible' || hasFrame(element.parentElement));
    const wide = Array.from(document.body.querySelectorAll('*'))
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .filter((element) => !hasFrame(element.parentElement))
      .slice(0, 5)
      .map(
        ({ tagName, className, textContent }) =>
          `<${tagName.toLowerCase()} class="${className}"> ${textContent?.trim().slice(0, 40)}`,
      );
    return [`${scrollWidth - clientWidth} px too wide`, ...wide];
  });

for (const [index, screen] of [desktop, phone].entries()) {
  const { width } = screen.viewport;
  test(`every page fits ${width} px and, without JavaScript, shows the same text and no controls that need it`, async ({
    pages,
    newVisitor,
    pageErrors,
  }) => {
    test.setTimeout(pages.length * 20_000);
    const page = await newVisitor(screen);
    const plain = await newVisitor({ ...screen, javaScriptEnabled: false });
    // In short runs, each screen size tests half of the pages.
    for (const { path } of samplePages(pages, pageErrors, 2, index)) {
      await page.goto(path);
      await idle(page);
      expect([path, await overflow(page)]).toEqual([path, []]);
      await plain.goto(path);
      await expect(plain.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(plain.locator(needsScript).filter({ visible: true })).toHaveCount(0);
      expect([path, await visibleTexts(plain)]).toEqual([path, await visibleTexts(page)]);
      expect([path, await overflow(plain)]).toEqual([path, []]);
    }
  });
}

test('nothing overflows at 320 px without fonts and images, or with text twice as large', async ({
  pages,
  newVisitor,
  pageErrors,
}) => {
  test.setTimeout(pages.length * 20_000);
  pageErrors.expect(/ERR_FAILED/);
  const page = await newVisitor({ viewport: { width: 320, height: 640 } });
  await page.route('**/*', (route) =>
    ['image', 'font'].includes(route.request().resourceType()) ? route.abort() : route.continue(),
  );
  const found: [string, string[]][] = [];
  for (const { path } of samplePages(pages, pageErrors, 4)) {
    // WCAG 1.4.10: 320 CSS pixels.
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(path);
    found.push([`${path} at 320 px`, await overflow(page)]);
    // WCAG 1.4.4: 1,280 px at 200 %, with text twice as large.
    await page.setViewportSize({ width: 640, height: 400 });
    found.push([`${path} at 640 px`, await overflow(page)]);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    found.push([`${path} with large text`, await overflow(page)]);
  }
  expect(found.filter(([, wide]) => wide.length > 0)).toEqual([]);
});

test('words that are longer than the line are broken', { tag: '@full' }, async ({
  pages,
  newVisitor,
}) => {
  test.setTimeout(pages.length * 5_000);
  const page = await newVisitor({ viewport: { width: 320, height: 640 } });
  const found: [string, string[]][] = [];
  for (const { path } of pages.filter((one) => one.path.startsWith('/blog'))) {
    await page.goto(path);
    await page.getByRole('main').evaluate((main) => {
      const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamte';
      const written =
        'article h1, h2 a, article p:not(:has(*)), .byline .writer, .post > a, .post-body :is(h2, li, td)';
      for (const element of main.querySelectorAll(written)) element.textContent = word;
    });
    found.push([path, await overflow(page)]);
  }
  expect(found.filter(([, wide]) => wide.length > 0)).toEqual([]);
});
