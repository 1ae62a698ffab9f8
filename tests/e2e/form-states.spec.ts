import { findingsInBothThemes } from '../support/axe.ts';
import { contactForm, refusal } from '../support/contact-form.ts';
import { goOffline } from '../support/go-offline.ts';
import { pressHydrated } from '../support/hydrated.ts';
import { expect, test } from '../support/site-test.ts';

test.describe('form states pass axe', { tag: ['@full', '@phone'] }, () => {
  test('in the contact form: errors, few characters left, waiting, toast, sent', async ({
    page,
    context,
    email,
    pageErrors,
  }) => {
    const { field, fill, send, toast, shown } = contactForm(page);
    await page.goto('/contact');
    await fill('vera', 'x'.repeat(4_900));
    await pressHydrated(send);
    await expect(field('Message')).toHaveAccessibleDescription('100 characters left');
    expect(await findingsInBothThemes(page, 'errors')).toEqual([]);

    await fill(email);
    await goOffline(page);
    pageErrors.expect(/ERR_INTERNET_DISCONNECTED/, '/api/contact');
    await pressHydrated(send);
    await expect(shown('An error occurred')).toBeVisible();
    // While it is hovered, the toast stays.
    await toast.hover();
    expect(await findingsInBothThemes(page, 'waiting, toast')).toEqual([]);
    await toast.getByRole('button', { name: 'Dismiss' }).click();
    expect(await findingsInBothThemes(page, 'waiting')).toEqual([]);

    await context.setOffline(false);
    await expect(shown('Message sent!')).toBeVisible();
    expect(await findingsInBothThemes(page, 'sent')).toEqual([]);
  });

  test('in the dialog: errors, failure', async ({ page, email, pageErrors }) => {
    await page.goto('/careers');
    await page.getByRole('button', { name: 'Send Your Resume' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send Your Resume' });
    const send = dialog.getByRole('button', { name: 'Send Inquiry' });
    await pressHydrated(send);
    await expect(dialog.getByText('Name must be at least 2 characters.')).toBeVisible();
    expect(await findingsInBothThemes(page, 'errors')).toEqual([]);

    pageErrors.expect(/status of 500/, '/api/careers');
    await page.route('/api/careers', (route) => route.fulfill(refusal(500, 'internal')));
    for (const [name, text] of [
      ['Full Name', 'Jo Maker'],
      ['Email', email],
      ['Message', 'I build things.'],
    ] as const) {
      await dialog.getByRole('textbox', { name }).fill(text);
    }
    await pressHydrated(send);
    await expect(dialog.locator('.toast:popover-open')).toBeVisible();
    expect(await findingsInBothThemes(page, 'failed')).toEqual([]);
  });

  test('in a form that is shown again', async ({ page }) => {
    const { fill, send } = contactForm(page);
    await page.goto('/contact');
    await page.evaluate(() => {
      const form = document.querySelector<HTMLFormElement>('main form');
      for (const field of form?.querySelectorAll<HTMLInputElement>('[required]') ?? []) {
        field.value = field.type === 'email' ? 'vera' : 'Vera';
      }
      form?.submit();
    });
    await page.waitForURL(/\/contact\/again\/./);
    expect(await findingsInBothThemes(page, 'as it comes')).toEqual([]);
    await fill('vera');
    await pressHydrated(send);
    expect(await findingsInBothThemes(page, 'errors again')).toEqual([]);
  });
});
