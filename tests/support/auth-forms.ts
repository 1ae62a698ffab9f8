import type { Page } from 'playwright/test';
import { hydrated } from './hydrated.ts';
import { expect } from './site-test.ts';

export function authForms(page: Page) {
  const panelOf = (name: 'Sign In' | 'Sign Up') => {
    const panel = page.getByRole('tabpanel', { name });
    return {
      panel,
      tab: page.getByRole('tab', { name }),
      email: panel.getByRole('textbox', { name: 'Email' }),
      password: panel.getByLabel('Password'),
      show: panel.getByRole('button', { name: 'Show password' }),
      submit: panel.getByRole('button', { name, exact: true }),
      async send(email: string, password: string) {
        await panel.getByRole('textbox', { name: 'Email' }).fill(email);
        await panel.getByLabel('Password').fill(password);
        await hydrated(page, panel.getByLabel('Password'));
        await panel.getByRole('button', { name, exact: true }).click();
      },
    };
  };
  return {
    signIn: panelOf('Sign In'),
    signUp: panelOf('Sign Up'),
    toast: page.locator('.toast:popover-open'),
    resend: page
      .getByRole('button', { name: 'Resend confirmation email' })
      .filter({ visible: true }),
    shown: (text: string | RegExp) => page.getByText(text).filter({ visible: true }),
    async hydrated() {
      await expect(page.locator('main form[data-enhanced]').first()).toBeAttached();
    },
  };
}

export const expectToast = (
  { toast }: Pick<ReturnType<typeof authForms>, 'toast'>,
  ...lines: string[]
): Promise<void> => expect(toast.getByRole('paragraph')).toHaveText(lines);
