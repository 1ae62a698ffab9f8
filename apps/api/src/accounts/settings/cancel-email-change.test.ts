import { accountMessages } from '@app/contract/accounts/messages';
import { day } from '@app/contract/durations';
import { users } from '@app/db/schema/accounts';
import { describe, expect, test } from 'vitest';
import {
  changeRequested,
  confirmChange,
  email,
  newEmail,
  password,
  signedInAgain,
} from '../../testing/email-change.ts';
import { allRows } from '../../testing/tables.ts';
import { isSignedIn, makeTestApp, publicUrl, tokenEmailedTo } from '../../testing/test-app.ts';

describe('the old address', () => {
  test('is notified at once, with a link to a page with a button', async () => {
    await using testApp = await makeTestApp();
    await changeRequested(testApp);
    const sentEmail = testApp.emails.sent.find(({ kind }) => kind === 'email-change-requested');
    expect(sentEmail).toMatchObject({ to: email });
    expect(sentEmail?.text).toContain(newEmail);
    const token = tokenEmailedTo(testApp, email);
    expect(sentEmail?.text).toContain(`${publicUrl}/auth/cancel-email-change?token=${token}`);
    const rows = allRows(testApp.deps.db);

    const page = await testApp.browser().get(`/auth/cancel-email-change?token=${token}`);

    expect(await page.text()).toContain(
      JSON.stringify({ kind: 'emailChangeCancel', token, email: newEmail }),
    );
    expect(page.headers.get('Cache-Control')).toBe('private, no-store');
    expect(allRows(testApp.deps.db)).toEqual(rows);
  });

  test('can cancel, which signs out the browser that requested the change', async () => {
    await using testApp = await makeTestApp();
    const { ann: thief, token } = await changeRequested(testApp);
    const owner = await signedInAgain(testApp);

    const cancelToken = tokenEmailedTo(testApp, email);
    const browser = testApp.browser();

    for (const page of ['/auth/forgot#change-canceled', '/auth/forgot#cannot-cancel']) {
      const response = await browser.submit('/api/auth/cancel-email-change', {
        token: cancelToken,
      });
      expect([response.status, response.headers.get('Location')]).toEqual([303, page]);
    }
    expect((await confirmChange(thief, token)).status).toBe(410);
    expect((await thief.get('/api/auth/sessions')).status).toBe(401);
    expect((await owner.get('/api/auth/sessions')).status).toBe(200);
  });

  test('can cancel without signing out a browser whose earlier change is complete', async () => {
    await using testApp = await makeTestApp();
    const { ann: laptop, token } = await changeRequested(testApp);
    await confirmChange(laptop, token);
    const thieves = [testApp.browser(), testApp.browser()];
    for (const thief of thieves) {
      await thief.post('/api/auth/sign-in', { email: newEmail, password });
      await thief.post('/api/auth/email', { email: 'thief@example.com' });
    }
    await testApp.deps.outbox.drain();

    const cancelToken = tokenEmailedTo(testApp, newEmail);
    await testApp.browser().post('/api/auth/cancel-email-change', { token: cancelToken });

    expect(await Promise.all(thieves.map(isSignedIn))).toEqual([false, false]);
    expect(await isSignedIn(laptop)).toBe(true);
  });

  test('can cancel without signing out a browser whose link has expired', async () => {
    await using testApp = await makeTestApp();
    const { ann: laptop } = await changeRequested(testApp);
    testApp.clock.move(day);
    const thief = await signedInAgain(testApp);
    await thief.post('/api/auth/email', { email: 'thief@example.com' });
    await testApp.deps.outbox.drain();

    const cancelToken = tokenEmailedTo(testApp, email);
    await testApp.browser().post('/api/auth/cancel-email-change', { token: cancelToken });

    expect(await Promise.all([thief, laptop].map(isSignedIn))).toEqual([false, true]);
  });

  test('cannot cancel a completed change, and shows whom to contact', async () => {
    await using testApp = await makeTestApp();
    const { ann, token } = await changeRequested(testApp);
    const cancelToken = tokenEmailedTo(testApp, email);
    await confirmChange(ann, token);
    const before = await testApp.deps.db.select().from(users);

    for (const dead of [cancelToken, token, 'made-up']) {
      const browser = testApp.browser();
      const response = await browser.post('/api/auth/cancel-email-change', { token: dead });
      expect(await response.json()).toMatchObject({
        code: 'dead_link',
        detail: accountMessages.settings.emailCancelDeadLink.description,
      });
      const form = await browser.submit('/api/auth/cancel-email-change', { token: dead });
      const page = await browser.get(`/auth/cancel-email-change?token=${dead}`);
      for (const { status, headers } of [form, page]) {
        expect([status, headers.get('Location')]).toEqual([303, '/auth/forgot#cannot-cancel']);
      }
    }
    expect(await testApp.deps.db.select().from(users)).toEqual(before);
  });
});
