import { brotliCompressSync } from 'node:zlib';
import { hour } from '@app/contract/durations';
import type { Locator, Response } from 'playwright/test';
import { signInNewUser } from '../support/account.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { contentEditor, contentField, openNewPost, saveButton } from '../support/post-editor.ts';
import { expect, test } from '../support/site-test.ts';

test('the editor keeps the text and the cursor of the textarea that it replaces', {
  tag: ['@full', '@phone'],
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const held = Promise.withResolvers<void>();
  await page.route(/create-editor.*\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/blog/editor');
  await contentField(page).fill('Typed early');
  await contentField(page).press('Home');
  const root = page.locator('html');
  await page.locator('#post-content-editor[hidden]').evaluate((editor) => {
    new MutationObserver(() => {
      const shown = document.querySelectorAll('textarea[name=content]:not([hidden])').length;
      document.documentElement.dataset['textareas'] = `${shown}`;
    }).observe(editor, { attributeFilter: ['hidden'] });
  });
  held.resolve();
  await expect(contentEditor(page)).toBeFocused();
  // Never both at once, because the page below would move under a finger.
  await expect(root).toHaveAttribute('data-textareas', '0');
  await page.keyboard.type('Not ');
  await expect(contentEditor(page)).toHaveText('Not Typed early');
  await expect(contentField(page)).toHaveValue('Not Typed early');
});

test('shortcuts, lists, tables and pasted texts become Markdown', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await openNewPost(page);
  const expectText = (text: string) => expect(contentField(page)).toHaveValue(text);
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
      '<style>p{color:red}</style><h2 style="color:red">Heading</h2><p>and <span style="font-weight:700">bold</span>, <a href="javascript:alert(1)">bad</a> <a href="https://example.com/">good</a></p><ul><li>one</li></ul><p>set style="x" for vscode at https://example.com/a_b_c</p><script>alert(1)</script>',
    );
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  });
  await expectText(
    '## Heading\n\nand **bold**, bad [good](https://example.com/)\n\n- one\n\nset style="x" for vscode at https://example.com/a_b_c',
  );
});

test('what is typed after a tool or a shortcut is where it says', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await openNewPost(page);
  const tool = (name: RegExp) =>
    page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name }).click();
  const expectText = (text: string) => expect(contentField(page)).toHaveValue(text);
  const clear = async () => {
    await contentEditor(page).press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
  };
  await contentEditor(page).click();
  for (const [name, start] of [
    [/^Heading/, '## '],
    [/^Bulleted/, '- '],
    [/^Numbered/, '1. '],
    [/^Quote/, '> '],
  ] as const) {
    await clear();
    await tool(name);
    await page.keyboard.type('XYZ');
    await expectText(`${start}XYZ`);
  }
  // Chromium moves the cursor here.
  await clear();
  await tool(/^Bulleted/);
  await tool(/^Quote/);
  await page.keyboard.type('XYZ');
  await expectText('> - XYZ');

  for (const [key, name, mark] of [
    ['b', /^Bold/, '**'],
    ['i', /^Italic/, '*'],
    ['Shift+x', /^Strikethrough/, '~~'],
  ] as const) {
    await clear();
    await page.keyboard.press(`ControlOrMeta+${key}`);
    const button = page.getByRole('button', { name });
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.type('two words');
    await page.keyboard.press(`ControlOrMeta+${key}`);
    await expect(button).toHaveAttribute('aria-pressed', 'false');
    await page.keyboard.type(' more');
    await expectText(`${mark}two words${mark} more`);
  }

  await clear();
  await page.keyboard.type('- one\ntwo\n\nText');
  await expectText('- one\n- two\n\nText');
  await clear();
  await tool(/table/);
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('Text');
  await expectText('| Column | Column |\n| ------ | ------ |\n|        |        |\n\nText');

  await clear();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('our guide');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('/services');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('.');
  await expectText('[our guide](/services).');
});

test('blocks that are pasted after a list item do not join its line', async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await openNewPost(page);
  await contentEditor(page).click();
  const paste = (types: Record<string, string>) =>
    contentEditor(page).evaluate((element, copied) => {
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(copied)) clipboardData.setData(type, text);
      const options = { clipboardData, bubbles: true, cancelable: true };
      element.dispatchEvent(new ClipboardEvent('paste', options));
    }, types);
  await page.keyboard.type('- item');
  await paste({ 'text/plain': 'H\ntext', 'text/html': '<h2>H</h2><p>text</p>' });
  await expect(contentField(page)).toHaveValue('- item\n\n## H\n\ntext');
  await paste({ 'text/plain': '- one\n- two' });
  await expect(contentField(page)).toHaveValue('- item\n\n## H\n\ntext\n\n- one\n- two');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(contentField(page)).toHaveValue('- item\n\n## H\n\ntext');
});

test('texts of word processors and spreadsheets become Markdown', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await openNewPost(page);
  const wordItem = (level: number, marker: string, text: string) =>
    `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`;
  const copied: [string, string][] = [
    [
      `<html xmlns:o="urn:schemas-microsoft-com:office:office"><body><p class=MsoNormal>Intro</p>${wordItem(1, '·', 'One')}${wordItem(2, 'o', 'Inner <b>bold</b>')}${wordItem(1, '·', 'Two')}<p class=MsoNormal>Then</p>${wordItem(1, '3.', 'Three')}${wordItem(1, '4.', 'Four')}</body></html>`,
      'Intro\n\n- One\n  - Inner **bold**\n- Two\n\nThen\n\n3. Three\n4. Four',
    ],
    [
      '<b style="font-weight:normal;" id="docs-internal-guid-1"><p><span style="font-weight:700">Big</span><span style="font-weight:700;color:red">Red</span></p><ul><li><p>One</p></li><ul><li><p>Inner</p></li></ul><li><p>Two</p></li></ul></b>',
      '**BigRed**\n\n- One\n  - Inner\n- Two',
    ],
    [
      '<google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}--></style><table><colgroup><col width="100"/></colgroup><tbody><tr><td>Month</td><td>Sales</td></tr><tr><td>Jan<br>Feb</td><td>12</td></tr></tbody></table>',
      '| Month | Sales |\n| --- | --- |\n| Jan Feb | 12 |',
    ],
    ['<h2>Code</h2><pre>one\n  two</pre>', '## Code\n\n```\none\n  two\n```'],
    // What would take seconds stays as it is.
    ['<b>a</b> '.repeat(16_000), 'Plain'],
    [`${'<blockquote>'.repeat(120)}<b>a</b>`, 'Plain'],
  ];
  await contentEditor(page).click();
  for (const [html, markdown] of copied) {
    await page.keyboard.press('ControlOrMeta+a');
    await contentEditor(page).evaluate((element, copy) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'Plain');
      clipboardData.setData('text/html', copy);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }, html);
    await expect(contentField(page)).toHaveValue(markdown);
  }
});

test('the editor works by keyboard and has names for screen readers', {
  tag: '@phone-full',
}, async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  await openNewPost(page);
  await saveButton(page).click();
  await expect(page.getByText('Content is required')).toBeVisible();
  await expect(contentEditor(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('textbox', { name: 'Content' })).toHaveAccessibleDescription(
    /press Escape, then Tab.*Content is required/,
  );
  expect(await findingsInFullRun(page, 'the editor with errors')).toEqual([]);

  await page.getByText('Content', { exact: true }).click();
  await expect(contentEditor(page)).toBeFocused();
  await page.keyboard.type('word');
  await expect(page.getByText('Content is required')).toBeHidden();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Heading' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('button', { name: /^Bold/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(contentField(page)).toHaveValue('**word**');
  await expect(contentEditor(page)).toBeFocused();
});

test('on narrow screens, an error in the content opens its tab', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await page.setViewportSize({ width: 600, height: 800 });
  await openNewPost(page);
  await page.getByLabel('Title').fill('Title');
  await page.getByRole('tab', { name: 'Preview' }).click();
  await saveButton(page).press('Enter');
  await expect(contentEditor(page)).toBeFocused();
  await expect(page.getByText('Content is required')).toBeVisible();
});

test('the search is loaded when a key first needs it', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await openNewPost(page);
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
  await expect(contentField(page)).toHaveValue('a boiler and a boiler');
  await search.getByRole('button', { name: 'Close' }).click();
  await expect(search).toBeHidden();

  await page.getByRole('button', { name: /^Find and replace/ }).click();
  await expect(search.getByPlaceholder('Find')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(contentEditor(page)).toBeFocused();
});

test('on phones, the toolbar is above the keyboard while the text has the focus', {
  tag: '@phone-only',
}, async ({ page, site, email }) => {
  // Stands in for an on-screen keyboard, which browsers do not open in tests.
  await page.addInitScript(() => {
    const viewport = { width: 360, height: 740, offsetLeft: 0, offsetTop: 0, scale: 1 };
    const value = Object.assign(new EventTarget(), viewport);
    Object.defineProperty(window, 'visualViewport', { value });
  });
  const show = (height: number, offsetTop: number) =>
    page.evaluate(
      (now) => Object.assign(window.visualViewport ?? {}, now).dispatchEvent(new Event('resize')),
      { height, offsetTop } as VisualViewport,
    );
  await signInNewUser(page, site, email);
  await openNewPost(page);
  const toolbar = page.getByRole('toolbar', { name: 'Formatting' });
  const bottomOf = async (element: Locator) => {
    const box = await element.boundingBox();
    return box && Math.round(box.y + box.height);
  };
  await page.getByLabel('Title').tap();
  await expect(toolbar).not.toBeInViewport();
  await contentEditor(page).fill('A line.\n'.repeat(100));
  await expect.poll(() => bottomOf(toolbar)).toBe(740);

  await show(420, 0);
  await expect.poll(() => bottomOf(toolbar)).toBe(420);
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('The end');
  const cursor = page.locator('.cm-cursor-primary');
  const { y: top = 0 } = (await toolbar.boundingBox()) ?? {};
  await expect.poll(() => bottomOf(cursor)).toBeLessThanOrEqual(top);

  const bold = page.getByRole('button', { name: /^Bold/ });
  await bold.tap();
  await expect(contentEditor(page)).toBeFocused();
  await page.keyboard.type('ing');
  await expect(contentField(page)).toHaveValue(/The \*\*ending\*\*$/);
  const { width = 0, height = 0 } = (await bold.boundingBox()) ?? {};
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  const last = toolbar.getByRole('button').last();
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport();
  await expect(contentEditor(page)).toBeFocused();

  // Safari pans the page behind the keyboard.
  await show(420, 120);
  await expect.poll(() => bottomOf(toolbar)).toBe(540);
  await page.getByLabel('Title').focus();
  await show(740, 0);
  await expect(toolbar).not.toBeInViewport();
});

test('keys do not copy the text into the form, but reading the form returns all of it', {
  tag: '@full',
}, async ({ page, site, email, pageErrors }) => {
  await signInNewUser(page, site, email);
  // The preview's frame blocks Playwright's script for the clock.
  pageErrors.expect(/Blocked script execution/, '/api/preview-frame');
  await page.clock.install();
  await openNewPost(page);
  await contentEditor(page).click();
  // There is no pause between keys, because the page's clock stands still.
  await page.clock.pauseAt(new Date(Date.now() + hour));
  await contentField(page).evaluate((element: HTMLTextAreaElement) => {
    // React has replaced the property on the element.
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
  expect(await contentField(page).inputValue()).toBe('');
  const read = await contentField(page).evaluate((element: HTMLTextAreaElement) =>
    new FormData(element.form ?? undefined).get('content'),
  );
  expect(read).toBe('Thirty keys without any pause.');

  await page.clock.runFor(400);
  await expect(contentField(page)).toHaveValue('Thirty keys without any pause.');
  await expect(root).toHaveAttribute('data-copies', '1');
});

test('all scripts of the editor weigh at most 200 kB', async ({ page, site, email }) => {
  await signInNewUser(page, site, email);
  const scripts: Response[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(response);
  });
  await openNewPost(page);
  const sizes = await Promise.all(
    scripts.map(async (script) => brotliCompressSync(await script.body()).length),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(100_000);
  expect(total).toBeLessThanOrEqual(200_000);
});
