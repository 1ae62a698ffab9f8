import { brotliCompressSync } from 'node:zlib';
import type { Page, Response } from 'playwright/test';
import { signInNewUser } from '../support/account.ts';
import { findingsInBothThemes } from '../support/axe.ts';
import { contentEditor } from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';

const field = (page: Page) => page.locator('textarea[name=content]');

async function openEditor(page: Page): Promise<void> {
  await page.goto('/blog/editor');
  await expect(contentEditor(page)).toBeVisible();
}

test('text and cursor of the textarea survive the arrival of the editor', {
  tag: '@phone',
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const held = Promise.withResolvers<void>();
  await page.route(/create-editor.*\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/blog/editor');
  await field(page).fill('Typed early');
  await field(page).press('Home');
  held.resolve();
  await expect(contentEditor(page)).toBeFocused();
  await page.keyboard.type('Not ');
  await expect(contentEditor(page)).toHaveText('Not Typed early');
  await expect(field(page)).toHaveValue('Not Typed early');
});

test('shortcuts, lists, tables and pasted texts become Markdown', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await openEditor(page);
  const expectText = (text: string) => expect(field(page)).toHaveValue(text);
  await contentEditor(page).click();
  await page.keyboard.type('a word');
  await page.keyboard.press('ControlOrMeta+b');
  await expectText('a **word**');
  await expect(page.getByRole('button', { name: /^Bold/ })).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('ControlOrMeta+z');
  await expectText('a word');

  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('- one\ntwo\n');
  await page.keyboard.press('Tab');
  await page.keyboard.type('three');
  await expectText('- one\n- two\n    - three');

  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText('|a|b|\n|-|-|\n|long|c|');
  await page.getByRole('button', { name: 'Insert or align a table' }).click();
  await expectText('| a    | b   |\n| ---- | --- |\n| long | c   |');

  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await contentEditor(page).evaluate((element) => {
    const data = new DataTransfer();
    data.setData('text/plain', 'Heading and bold');
    data.setData(
      'text/html',
      '<style>p{color:red}</style><h2 style="color:red">Heading</h2><p>and <span style="font-weight:700">bold</span>, <a href="javascript:alert(1)">bad</a> <a href="https://example.com/">good</a></p><ul><li>one</li></ul><script>alert(1)</script>',
    );
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  });
  await expectText('## Heading\n\nand **bold**, bad [good](https://example.com/)\n\n-   one');
});

test('the editor is used by keyboard and named for screen readers', { tag: '@phone' }, async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await openEditor(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Content is required')).toBeVisible();
  await expect(contentEditor(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('textbox', { name: 'Content' })).toHaveAccessibleDescription(
    /press Escape, then Tab.*Content is required/,
  );
  expect(await findingsInBothThemes(page, 'the editor with errors')).toEqual([]);

  await expect(async () => {
    await page.getByText('Content', { exact: true }).click();
    await expect(contentEditor(page)).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.type('word');
  await expect(page.getByText('Content is required')).toBeHidden();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Heading' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('button', { name: /^Bold/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(field(page)).toHaveValue('**word**');
  await expect(contentEditor(page)).toBeFocused();
});

test('the search is loaded with the first key that needs it', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await openEditor(page);
  await contentEditor(page).click();
  await page.keyboard.type('a valve and a valve');
  const isLoaded = () => scripts.some((url) => /\/search\.[^/]*js$/.test(url));
  expect(isLoaded()).toBe(false);

  await page.keyboard.press('ControlOrMeta+f');
  const search = page.locator('.cm-search');
  await expect(search.getByPlaceholder('Find')).toBeFocused();
  expect(isLoaded()).toBe(true);
  await page.keyboard.type('valve');
  await search.getByPlaceholder('Replace').fill('boiler');
  await search.getByRole('button', { name: 'Replace all' }).click();
  await expect(field(page)).toHaveValue('a boiler and a boiler');
  await search.getByRole('button', { name: 'Close' }).click();
  await expect(search).toBeHidden();

  await page.getByRole('button', { name: /^Find and replace/ }).click();
  await expect(search.getByPlaceholder('Find')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(contentEditor(page)).toBeFocused();
});

test('a key does not copy the text, but a form that is read has all of it', async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  await signInNewUser(page, site, email);
  // Playwright's script for the clock, in the preview.
  pageErrors.expect(/Blocked script execution/, '/api/preview-frame');
  await page.clock.install();
  await openEditor(page);
  await contentEditor(page).click();
  // No pause: the clock of the page stands still.
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
  await field(page).evaluate((element: HTMLTextAreaElement) => {
    // React has one of its own.
    const property = Object.getOwnPropertyDescriptor(element, 'value');
    const { dataset } = document.documentElement;
    dataset['copies'] = dataset['reads'] = '0';
    Object.defineProperty(element, 'value', {
      get: () => property?.get?.call(element),
      set(text: string) {
        dataset['copies'] = `${Number(dataset['copies']) + 1}`;
        property?.set?.call(element, text);
      },
    });
    element.form?.addEventListener('formdata', () => {
      dataset['reads'] = `${Number(dataset['reads']) + 1}`;
    });
  });
  const root = page.locator('html');
  await page.keyboard.type('Thirty keys without any pause.');
  await expect(contentEditor(page)).toHaveText('Thirty keys without any pause.');
  await expect(root).toHaveAttribute('data-copies', '0');
  await expect(root).toHaveAttribute('data-reads', '0');
  expect(await field(page).inputValue()).toBe('');
  const read = await field(page).evaluate((element: HTMLTextAreaElement) =>
    new FormData(element.form ?? undefined).get('content'),
  );
  expect(read).toBe('Thirty keys without any pause.');

  await page.clock.runFor(400);
  await expect(field(page)).toHaveValue('Thirty keys without any pause.');
  await expect(root).toHaveAttribute('data-copies', '1');
});

test('all scripts of the editor weigh at most 250 kB', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const scripts: Response[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(response);
  });
  await openEditor(page);
  const sizes = await Promise.all(
    scripts.map(async (script) => brotliCompressSync(await script.body()).length),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(100_000);
  expect(total).toBeLessThanOrEqual(250_000);
});
