import { randomUUID } from 'node:crypto';
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from 'playwright/test';
import { PageErrors } from './page-errors.ts';
import { SiteProcess, temporaryFolder } from './site-process.ts';
import { recordTypedTexts, typedTextsIn } from './typed-texts.ts';

export { expect };

interface Fixtures {
  /** Any browser error that is not expected fails the test. */
  pageErrors: PageErrors;
  /** Messages of errors that the server may log; any other fails the test. */
  loggedErrors: Set<string>;
  newVisitor: (options?: BrowserContextOptions) => Promise<Page>;
  email: string;
}

interface WorkerFixtures {
  siteEnv: Record<string, string>;
  site: SiteProcess;
}

/** Tests on a running server. Each worker has its own, with its own port and DATA_DIR. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  siteEnv: [{}, { option: true, scope: 'worker' }],

  site: [
    async ({ siteEnv }, use) => {
      using folder = temporaryFolder();
      await using site = await SiteProcess.start({ dataDir: folder.path, env: siteEnv });
      await use(site);
      const { code, stderr } = await site.stop();
      expect(typedTextsIn(site.log), 'personal data in the server’s log').toEqual([]);
      if (code !== 0 || stderr) throw new Error(`the server ended with ${code}: ${stderr}`);
    },
    // A worker's first server publishes all pages, at the same time as those of other workers.
    { scope: 'worker', timeout: 600_000 },
  ],

  baseURL: async ({ site }, use) => use(site.url),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures here
  loggedErrors: async ({}, use) => use(new Set()),

  pageErrors: [
    async ({ site, context, loggedErrors }, use) => {
      const pageErrors = new PageErrors(site.url);
      pageErrors.listenTo(context);
      recordTypedTexts(context);
      const errorsBefore = errorsIn(site);
      await use(pageErrors);
      expect(pageErrors.unexpected, 'unexpected browser errors').toEqual([]);
      expect(pageErrors.missing, 'expected browser errors that did not occur').toEqual([]);
      const errors = errorsIn(site).slice(errorsBefore.length);
      const unexpected = errors.filter(({ msg }) => !loggedErrors.has(msg));
      expect(unexpected, 'errors in the server’s log').toEqual([]);
    },
    { auto: true },
  ],

  newVisitor: async ({ browser, contextOptions, pageErrors }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (options) => {
      const context = await browser.newContext({ ...contextOptions, ...options });
      contexts.push(context);
      pageErrors.listenTo(context);
      recordTypedTexts(context);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures here
  email: async ({}, use) => use(`ann-${randomUUID().slice(0, 8)}@example.com`),
});

const errorsIn = ({ log }: SiteProcess) => log.filter(({ level }) => level === 'error');

export const idle = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => resolve())));
