import type { Page } from 'playwright/test';
import { expect, test } from '../support/site-test.ts';

/** Runs a script as one of the site's files. */
async function runScript(page: Page, source: string, path = '/_astro/broken.js'): Promise<void> {
  await page.route(`**${path}*`, (route) =>
    route.fulfill({ body: source, contentType: 'text/javascript' }),
  );
  await page.evaluate(
    (src) =>
      new Promise((resolve) => {
        const script = document.createElement('script');
        script.onload = resolve;
        script.src = src;
        document.head.append(script);
      }),
    path,
  );
}

/** Records what the page sends, because Playwright does not see the bodies of beacons. */
async function recordReports(page: Page): Promise<() => Promise<Record<string, string>[]>> {
  await page.addInitScript(() => {
    const send = navigator.sendBeacon.bind(navigator);
    const sent: Promise<string>[] = [];
    Object.assign(window, { sent });
    navigator.sendBeacon = (url, body) => {
      if (body instanceof Blob) sent.push(body.text());
      return send(url, body);
    };
  });
  return async () => {
    const sent = await page.evaluate(() =>
      Promise.all((window as unknown as { sent: Promise<string>[] }).sent),
    );
    return sent.map((text) => JSON.parse(text) as Record<string, string>);
  };
}

test('an uncaught error and a rejection of the site are reported, in order and without queries', async ({
  page,
  site,
  pageErrors,
}) => {
  pageErrors.expect(/boom/);
  pageErrors.expect(/refused/);
  const reports = await recordReports(page);
  const { promise: haveOccurred, resolve: letReport } = Promise.withResolvers<void>();
  await page.route('**/report-errors.js', async (route) => {
    await haveOccurred;
    await route.continue();
  });
  await page.goto('/contact?email=vera@example.com');
  const response = page.waitForResponse('**/api/client-errors');

  await runScript(page, 'throw new TypeError("boom " + location.href)', '/_astro/a.js?token=x');
  await runScript(page, 'Promise.reject(new Error("refused"))', '/_astro/b.js');
  letReport();

  expect((await response).status()).toBe(204);
  await expect.poll(reports).toEqual([
    {
      kind: 'error',
      message: `Uncaught TypeError: boom ${site.url}/contact`,
      stack: expect.stringContaining(`${site.url}/_astro/a.js:1:`),
    },
    {
      kind: 'error',
      message: 'Error: refused',
      stack: expect.stringContaining(`${site.url}/_astro/b.js:1:`),
    },
  ]);
  expect(JSON.stringify(await reports())).not.toMatch(/vera|token/);
  expect(await site.logged('browser error')).toMatchObject({
    level: 'warn',
    message: 'Uncaught TypeError: boom http://localhost:…/contact',
    frame: expect.stringMatching(/^\/_astro\/a\.js:1:\d+$/),
  });
});

test('an error is reported even if the reporter could not be loaded for an earlier one', {
  tag: '@full',
}, async ({ page, pageErrors }) => {
  pageErrors.expect(/offline|online|ERR_FAILED/);
  const reports = await recordReports(page);
  await page.goto('/');
  await page.route('**/report-errors.js', (route) => route.abort(), { times: 1 });
  const failed = page.waitForEvent('requestfailed');
  await runScript(page, 'Promise.reject(new Error("offline"))');
  await failed;
  await runScript(page, 'Promise.reject(new Error("online"))', '/_astro/later.js');
  await expect.poll(reports).toMatchObject([{ message: 'Error: online' }]);
});

test('at most three errors per page view are reported', { tag: '@full' }, async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/again/);
  const reports = await recordReports(page);
  await page.goto('/');
  const source = 'for (let n = 1; n < 9; n += 1) Promise.reject(new Error("again " + n))';
  await runScript(page, source);
  await expect.poll(async () => (await reports()).length).toBe(3);
  // A fourth report would have been sent before this request.
  await page.evaluate(() => fetch('/api/health/live'));
  expect(await reports()).toHaveLength(3);
});

test('errors of extensions and of the console are not reported', { tag: '@full' }, async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/extension|console/);
  const reports = await recordReports(page);
  await page.goto('/');
  const frames = [
    'chrome-extension://abc/content.js:1:1',
    'moz-extension://abc/content.js:1:1',
    // An extension that wraps a function of the page.
    'chrome-extension://abc/content.js:1:1)\\n at g (" + location.origin + "/_astro/x.js:1:1',
  ];
  for (const frame of frames) {
    const error = `Object.assign(new Error("extension"), { stack: "Error\\n at f (${frame})" })`;
    await runScript(page, `Promise.reject(${error})`);
  }
  await page.evaluate(() => void Promise.reject(new Error('console')));
  await runScript(page, 'Promise.reject(new Error("our extension"))', '/_astro/ours.js');
  await expect.poll(reports).toMatchObject([{ message: 'Error: our extension' }]);
});

test('violations of the content security policy are reported', async ({
  page,
  site,
  pageErrors,
}) => {
  pageErrors.expect(/Content Security Policy/);
  const reports = await recordReports(page);
  await page.goto('/about?token=secret');
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "injected"';
    document.body.append(script);
  });

  await expect.poll(reports).toEqual([
    {
      kind: 'csp',
      message: 'script-src-elem inline',
      stack: expect.stringMatching(`^${site.url}/about:\\d+$`),
    },
  ]);
  expect(await site.logged('blocked by the content security policy')).toMatchObject({
    frame: expect.stringMatching(/^\/about:\d+$/),
  });
});
