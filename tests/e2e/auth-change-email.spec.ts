import { signInNewUser } from '../support/account.ts';
import { findingsInFullRun } from '../support/axe.ts';
import { waitForLink } from '../support/mailbox.ts';
import { expect, test } from '../support/site-test.ts';

for (const javaScriptEnabled of [true, false]) {
  test(`a new address is confirmed with the button on the page that its email links to, ${javaScriptEnabled ? 'with scripts' : 'without scripts'}`, {
    tag: javaScriptEnabled ? '@full' : [],
  }, async ({ page, newVisitor, site, email }) => {
    const newEmail = `new-${email}`;
    await signInNewUser(page, site, email);
    const asked = await page.request.post('/api/auth/email', {
      headers: { Origin: site.url },
      data: { email: newEmail },
    });
    expect(asked.status()).toBe(202);
    const { link } = await waitForLink(site.dataDir, newEmail, '/auth/change-email');

    const reader = await newVisitor({ javaScriptEnabled });
    await reader.goto(link);
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Your new address');
    await expect(reader.getByText(newEmail)).toBeVisible();
    if (javaScriptEnabled) expect(await findingsInFullRun(reader, 'new address')).toEqual([]);
    const before = await page.request.get('/api/auth/session');
    expect(await before.json()).toMatchObject({ user: { email } });

    await reader.getByRole('button', { name: 'Use this address' }).click();
    await reader.waitForURL(/\/auth(?:#|$)/);
    const after = await page.request.get('/api/auth/session');
    expect(await after.json()).toMatchObject({ user: { email: newEmail } });
  });
}
