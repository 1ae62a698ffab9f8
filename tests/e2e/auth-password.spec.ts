import type { Locator } from 'playwright/test';
import { authForms } from '../support/auth-forms.ts';
import { pressHydrated } from '../support/hydrated.ts';
import { expect, test } from '../support/site-test.ts';

const caretIn = (field: Locator) =>
  field.evaluate((input: HTMLInputElement) => [input.selectionStart, input.selectionEnd]);

test('fields are labeled for password managers', async ({ page }) => {
  const { signIn, signUp } = authForms(page);
  await page.goto('/auth');
  for (const [{ tab, email, password }, name, secret] of [
    [signIn, 'username', 'current-password'],
    [signUp, 'email', 'new-password'],
  ] as const) {
    await tab.click();
    await expect(email).toHaveAttribute('autocomplete', name);
    await expect(email).toHaveAttribute('type', 'email');
    await expect(email).toHaveAttribute('name', 'email');
    await expect(password).toHaveAttribute('autocomplete', secret);
    await expect(password).toHaveAttribute('name', 'password');
  }
});

test('showing and hiding a password keeps the caret', { tag: '@full' }, async ({ page }) => {
  const { signIn, hydrated } = authForms(page);
  const { password, show, submit } = signIn;
  await page.goto('/auth');
  await password.focus();
  await hydrated();
  await page.keyboard.type('correct horse');
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowLeft');
  await expect(show).toHaveAttribute('aria-pressed', 'false');

  await show.click();
  await expect(show).toHaveAttribute('aria-pressed', 'true');
  await expect(password).toHaveAttribute('type', 'text');
  await expect(password).toBeFocused();
  await expect.poll(() => caretIn(password)).toEqual([8, 8]);
  await page.keyboard.type('brown ');
  await expect(password).toHaveValue('correct brown horse');

  await show.click();
  await expect(password).toHaveAttribute('type', 'password');
  await expect.poll(() => caretIn(password)).toEqual([14, 14]);

  // Browsers save text fields of submitted forms.
  await show.click();
  await pressHydrated(submit);
  await expect(password).toHaveAttribute('type', 'password');
});

test('a long password is not cut', { tag: '@full' }, async ({ page }) => {
  const { signUp } = authForms(page);
  await page.goto('/auth');
  await signUp.tab.click();
  await signUp.send('ann@example.com', 'x'.repeat(257));
  await expect(signUp.password).toHaveValue('x'.repeat(257));
  await expect(signUp.password).toHaveAccessibleDescription(/Please use at most 256 characters\.$/);
});

test('shows a hint while Caps Lock is on', { tag: '@full' }, async ({ page }) => {
  const { signIn, hydrated, shown } = authForms(page);
  await page.goto('/auth');
  await signIn.password.focus();
  await hydrated();
  for (const isOn of [true, false]) {
    // Playwright does not support Caps Lock.
    await signIn.password.evaluate(
      (input, modifierCapsLock) =>
        input.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'A', bubbles: true, modifierCapsLock }),
        ),
      isOn,
    );
    await expect(shown('Caps Lock is on.')).toHaveCount(isOn ? 1 : 0);
  }
});
