// `pnpm shots [path…] [--width 360,1280] [--theme light,dark] [--compare FOLDER]`: screenshots of
// every page of the built site and of its states (open menus, errors), in .shots/. With `--compare`
// they are compared with earlier ones in FOLDER; pictures of the differences are in .shots/diff/.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright/test';
import type { SitePage } from '../support/pages.ts';
import { compare } from './compare.ts';
import { type State, states } from './states.ts';
import { onBuiltSite } from './tool.ts';

const { values: options, positionals: paths } = parseArgs({
  options: {
    width: { type: 'string', default: '360,768,1280,1920' },
    theme: { type: 'string', default: 'light,dark' },
    compare: { type: 'string' },
  },
  allowPositionals: true,
});

const widths = options.width.split(',').map(Number);
const themes = options.theme.split(',') as ('light' | 'dark')[];
const folder = fileURLToPath(new URL('../../.shots', import.meta.url));
mkdirSync(folder, { recursive: true });

const screen = (width: number): BrowserContextOptions => {
  const isPhone = width < 600;
  const height = isPhone ? 740 : width < 1_000 ? 1_024 : 900;
  return { viewport: { width, height }, isMobile: isPhone, hasTouch: isPhone };
};

const fileOf = (name: string, width: number, theme: string, state = ''): string =>
  join(folder, `${name}-${state && `${state}-`}${String(width).padStart(4, '0')}-${theme}.png`);

/** Loads the page only once for all themes. */
async function takePage(page: Page, url: string, { name, path }: SitePage, width: number) {
  await page.goto(url + path);
  await page.evaluate(() => document.fonts.ready);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    await page.screenshot({ path: fileOf(name, width, theme), fullPage: true });
  }
}

async function takeState(
  browser: Browser,
  url: string,
  pages: readonly SitePage[],
  state: State,
  theme: 'light' | 'dark',
) {
  const width = state.width ?? 1_280;
  const context = await browser.newContext({
    ...screen(width),
    reducedMotion: 'reduce',
    colorScheme: theme,
    ...state.context,
  });
  const page = await context.newPage();
  for (const { name, path } of pages.filter(state.isFor)) {
    await page.goto(url + path);
    await page.evaluate(() => document.fonts.ready);
    if ((await state.reach?.(page)) === false) continue;
    // Full-page screenshots show a sticky header at the scroll position.
    if (state.isWhole) await page.evaluate('scrollTo({ top: 0, behavior: "instant" })');
    const file = fileOf(name, width, theme, state.name);
    await page.screenshot({ path: file, fullPage: state.isWhole ?? false });
  }
  await context.close();
}

const percent = (share: number): string => `${(share * 100).toFixed(3)} % of the pixels differ`;

await onBuiltSite(paths, async ({ browser, site, pages }) => {
  // Removes screenshots of deleted pages.
  if (paths.length === 0) rmSync(folder, { recursive: true });

  const work = [
    ...widths.map((width) => async () => {
      // Stops animations.
      const context = await browser.newContext({ ...screen(width), reducedMotion: 'reduce' });
      const page = await context.newPage();
      for (const one of pages) await takePage(page, site.url, one, width);
      await context.close();
    }),
    ...states.map((state) => async () => {
      if (!widths.includes(state.width ?? 1_280)) return;
      for (const theme of themes) await takeState(browser, site.url, pages, state, theme);
    }),
  ];
  const next = work.values();
  const take = async () => {
    for (const job of next) await job();
  };
  await Promise.all([take(), take()]);
  console.log(`The screenshots are in ${folder}`);
});

if (options.compare !== undefined) {
  const differences = await compare(options.compare, folder, join(folder, 'diff'));
  for (const { name, share } of differences) {
    console.log(`${name}: ${share === null ? 'new or resized' : percent(share)}`);
  }
  console.log(`${differences.length} screenshots differ`);
}
