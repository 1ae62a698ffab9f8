import { signInNewUser } from '../support/account.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { expectToFit } from '../support/layout.ts';
import { pictureFile, pictureInput, uploadList } from '../support/pictures.ts';
import { expect, test } from '../support/site-test.ts';

// Without transitions, axe sees the final colors.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('the library uploads, describes and deletes pictures', { tag: '@phone-full' }, async ({
  page,
  site,
  email,
  pageErrors,
}) => {
  test.slow();
  await signInNewUser(page, site, email);
  await page.goto('/blog');
  await page.getByRole('link', { name: 'Pictures', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pictures');
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/);
  await expect(page.getByText('No pictures yet')).toBeVisible();
  expect(await findingsInFullRun(page, 'the empty library')).toEqual([]);
  await expectToFit(page);

  const input = page.getByLabel(pictureInput);
  await expect(input).toBeEnabled();
  await input.setInputFiles([await pictureFile('one.png', 60), await pictureFile('two.png', 61)]);
  const cards = page.getByRole('listitem').filter({ hasText: 'Not used' });
  await expect(cards).toHaveCount(2);
  const rows = uploadList(page).getByRole('listitem');
  await rows.first().getByLabel('Description').fill('The first');
  await rows.first().getByLabel('Description').press('Enter');
  await expect(cards.filter({ hasText: 'The first' })).toHaveCount(1);
  await rows.getByRole('button', { name: 'Done with two.png' }).click();
  await expect(uploadList(page)).toBeHidden();
  await expect(page.locator('main :focus')).toHaveCount(1);

  const { pictures } = await (await page.request.get('/api/posts/pictures')).json();
  const slug = `uses-${email.slice(4, 12)}`;
  const use = (content: string) =>
    page.request.post('/api/posts', {
      headers: { Origin: site.url },
      data: { title: 'A post with it', slug, content },
    });
  const first = cards.filter({ hasText: 'The first' });
  const described = pictures.find(({ alt }: { alt: string }) => alt === 'The first');
  expect((await use(`![](${described.path})`)).ok()).toBe(true);
  pageErrors.expect(/status of 409/, `/api/posts/pictures/${described.id}`);
  await first.getByRole('button', { name: 'Delete', exact: true }).click();
  const asking = page.getByRole('dialog', { name: 'Delete this picture?' });
  await asking.getByRole('button', { name: 'Delete picture' }).click();
  await expect(asking).toContainText(
    'A post, one of its versions, or unsaved text uses this picture.',
  );
  expect(await findingsInFullRun(page, 'refused')).toEqual([]);
  await asking.getByRole('button', { name: 'Keep it' }).click();

  await page.reload();
  const used = page.getByRole('listitem').filter({ hasText: 'The first' });
  await expect(used.getByRole('link', { name: 'A post with it' })).toHaveAttribute(
    'href',
    `/blog/${slug}`,
  );
  await expect(used.getByRole('button', { name: 'Edit description' })).toBeVisible();
  await expect(used.getByRole('button', { name: 'Delete', exact: true })).toHaveCount(0);
  expect(await findingsInFullRun(page, 'the library')).toEqual([]);
  await expectToFit(page);
  await used.getByRole('button', { name: 'Edit description' }).click();
  const description = page.getByRole('textbox', { name: 'Description' });
  await expect(description).toBeFocused();
  await description.fill('Another text');
  await description.press('Enter');
  await expect(page.getByRole('heading', { name: 'Another text' })).toBeVisible();
  await expect(page.locator('main :focus')).toHaveCount(1);

  await cards.getByRole('button', { name: 'Delete', exact: true }).click();
  await asking.getByRole('button', { name: 'Delete picture' }).click();
  await expect(cards).toHaveCount(0);
  await expect(page.locator('.toast')).toContainText('Picture deleted');
  await expect(page.getByRole('heading', { name: 'Your pictures' })).toBeFocused();
});

test('the library finds pictures by their descriptions', { tag: '@full' }, async ({
  page,
  site,
  email,
}) => {
  await signInNewUser(page, site, email);
  await page.goto('/blog/pictures');
  const input = page.getByLabel(pictureInput);
  await expect(input).toBeEnabled();
  await input.setInputFiles(await pictureFile('one.png', 60));
  await uploadList(page).getByLabel('Description').fill('A pump');
  await uploadList(page).getByLabel('Description').press('Enter');
  await expect(page.getByRole('heading', { name: 'A pump' })).toBeVisible();

  await page.reload();
  await page.getByLabel('Search descriptions').fill('valve');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('No pictures match “valve”.')).toBeVisible();
  await page.getByRole('link', { name: 'Show all' }).click();
  await expect(page.getByRole('heading', { name: 'A pump' })).toBeVisible();
});
