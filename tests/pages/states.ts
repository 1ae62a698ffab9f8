import type { BrowserContextOptions, Page } from 'playwright/test';
import type { SitePage } from '../support/pages.ts';

export interface State {
  name: string;
  isFor: (page: SitePage) => boolean;
  width?: 360 | 1_280;
  context?: BrowserContextOptions;
  isWhole?: boolean;
  /** Returns false if the page does not have the state. */
  reach?: (page: Page) => Promise<boolean | undefined>;
}

const everyPage = (): boolean => true;
const isHome = ({ path }: SitePage): boolean => path === '/';

const press = async (page: Page, selector: string): Promise<boolean> => {
  const control = page.locator(selector).filter({ visible: true }).first();
  if ((await control.count()) === 0) return false;
  await control.click();
  return true;
};

const sendEmpty = async (page: Page, form: string): Promise<boolean> => {
  const found = page.locator(form).filter({ has: page.locator('[required]') });
  const first = found.filter({ visible: true }).first();
  if ((await first.count()) === 0) return false;
  await first.locator('button[type="submit"], button:not([type])').first().click();
  await first.locator(':user-invalid, [aria-invalid="true"]').first().waitFor();
  return true;
};

export const states: readonly State[] = [
  { name: 'services', isFor: isHome, reach: (page) => press(page, 'header summary') },
  {
    name: 'menu',
    isFor: isHome,
    width: 360,
    reach: async (page) => {
      if (!(await press(page, '[popovertarget="site-menu"]'))) return false;
      await press(page, '#site-menu summary');
      return true;
    },
  },
  ...([360, 1_280] as const).map(
    (width): State => ({
      name: 'theme',
      isFor: isHome,
      width,
      reach: (page) => press(page, '[popovertarget="theme-menu"]'),
    }),
  ),
  ...([360, 1_280] as const).map(
    (width): State => ({
      name: 'errors',
      isFor: everyPage,
      width,
      isWhole: true,
      reach: (page) => sendEmpty(page, 'main form'),
    }),
  ),
  {
    name: 'newsletter-error',
    isFor: isHome,
    reach: (page) => sendEmpty(page, 'footer form'),
  },
  {
    name: 'dialog',
    isFor: everyPage,
    width: 360,
    reach: (page) => press(page, 'main [aria-haspopup="dialog"]'),
  },
  {
    name: 'questions',
    isFor: everyPage,
    width: 360,
    isWhole: true,
    reach: async (page) => {
      const questions = page.locator('main details');
      for (const one of await questions.all()) {
        await one.evaluate((element) => element.toggleAttribute('open', true));
      }
      return (await questions.count()) > 0;
    },
  },
  {
    name: 'no-script',
    isFor: everyPage,
    width: 360,
    isWhole: true,
    context: { javaScriptEnabled: false },
  },
  {
    name: 'zoomed',
    isFor: everyPage,
    isWhole: true,
    context: { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 },
  },
  {
    name: 'forced-colors',
    isFor: everyPage,
    isWhole: true,
    context: { forcedColors: 'active' },
  },
];
