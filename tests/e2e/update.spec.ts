import { join } from 'node:path';
import { expect, type Page, test } from 'playwright/test';
import { addUser, signInAs } from '../support/account.ts';
import { contactForm, contactRowsOf } from '../support/contact-form.ts';
import { makeNextBuild } from '../support/next-version.ts';
import { contentEditor, saveButton, typeAtEnd } from '../support/post-editor.ts';
import { SiteProcess, temporaryFolder } from '../support/site-process.ts';

const vera = 'vera@example.com';
const tess = 'tess@example.com';
const ann = 'ann@example.com';

function failuresOf(page: Page): string[] {
  const failures: string[] = [];
  page.on('pageerror', ({ message }) => failures.push(message));
  page.on('console', (line) => {
    // The editor stores its text while no server listens, and tries again.
    const isRestart = line.text().includes('net::ERR_CONNECTION_REFUSED');
    if (line.type() === 'error' && !isRestart) failures.push(line.text());
  });
  page.on('response', (reply) => {
    if (reply.status() >= 400) failures.push(`${reply.status()} ${reply.url()}`);
  });
  return failures;
}

const scriptsOf = (page: Page): Promise<string[]> =>
  page
    .locator('script[src], astro-island')
    .evaluateAll((elements) =>
      elements.map((element) =>
        String(element.getAttribute('src') ?? element.getAttribute('component-url')),
      ),
    );

test('pages that were open during an update can load further scripts and send what was typed', {
  tag: '@full',
}, async ({ browser }) => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const before = await SiteProcess.start({ dataDir });
  const context = await browser.newContext({ baseURL: before.url });
  const [untouched, begun, editor] = await Promise.all([
    context.newPage(),
    context.newPage(),
    context.newPage(),
  ]);
  const failures = [untouched, begun, editor].map(failuresOf);
  await untouched.goto('/contact');
  await begun.goto('/contact');
  await contactForm(begun).fill(tess, 'Written before the update.');
  await contactForm(begun).hydrated();
  await addUser(before, ann);
  await signInAs(editor, before, ann);
  await editor.goto('/blog/editor');
  await contentEditor(editor).waitFor();
  await editor.getByLabel('Title').fill('Half written');
  const oldScripts = await scriptsOf(untouched);
  expect(await before.stop()).toMatchObject({ code: 0 });

  const workspace = makeNextBuild(join(folder.path, 'next'));
  await using site = await SiteProcess.launch({ dataDir, port: before.port, workspace });
  await site.logged('republished all pages');
  const fresh = await context.newPage();
  await fresh.goto('/contact');
  const newScripts = await scriptsOf(fresh);
  expect(newScripts).toHaveLength(oldScripts.length);
  expect(newScripts.filter((src) => oldScripts.includes(src))).toEqual([]);

  const late = contactForm(untouched);
  await late.fill(vera, 'Written after the update.');
  await late.hydrated();
  await late.send.click();
  await expect(late.shown('Message sent!')).toBeVisible();
  expect(contactRowsOf(dataDir, vera)).toHaveLength(1);

  await contactForm(begun).send.click();
  await expect(contactForm(begun).shown('Message sent!')).toBeVisible();
  expect(contactRowsOf(dataDir, tess)).toMatchObject([{ message: 'Written before the update.' }]);

  await typeAtEnd(editor, 'And finished after the update.');
  await editor.getByRole('button', { name: 'Picture', exact: true }).click();
  await expect(editor.getByRole('dialog')).toBeVisible();
  await editor.keyboard.press('Escape');
  await saveButton(editor).click();
  await editor.waitForURL(/\/blog(?!\/editor)/);
  expect(failures).toEqual([[], [], []]);
  await context.close();
});
