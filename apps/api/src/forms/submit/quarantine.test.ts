import { outbox } from '@app/db/schema/email';
import { describe, expect, test } from 'vitest';
import { emailedKinds, testedForms } from '../../testing/submissions.ts';
import { allRows } from '../../testing/tables.ts';
import { makeTestApp } from '../../testing/test-app.ts';
import { careerForm } from '../careers/careers.ts';
import { contactForm } from '../contact/contact.ts';
import { listQuarantined, releaseSubmission } from './quarantine.ts';

const forms = [contactForm, careerForm];

test('lists submissions of all forms, oldest first, with their spam signals', async () => {
  await using testApp = await makeTestApp();
  for (const { path, sent } of testedForms.toReversed()) {
    await testApp.browser().post(path, sent);
    testApp.clock.move(1_000);
    await testApp.browser().post(path, { ...sent, name: 'See www.spam.test', homepage: 'x' });
    testApp.clock.move(1_000);
  }
  const reasons = ['the hidden field is filled in', 'a link in the name'];
  const listed = listQuarantined(testApp.deps.db, forms);
  expect(listed).toEqual(
    testedForms.toReversed().map(({ name, sent }, i) => ({
      ...sent,
      id: expect.any(String),
      form: name,
      name: 'See www.spam.test',
      reasons,
      createdAt: testApp.clock.now() - 3_000 + i * 2_000,
    })),
  );
});

describe.each(testedForms)('$name', ({ path, sent, emails, rows, table }) => {
  test('delivers a released submission once', async () => {
    await using testApp = await makeTestApp();
    await testApp.browser().post(path, { ...sent, homepage: 'x' });
    const [held] = listQuarantined(testApp.deps.db, forms);

    const answers = await Promise.all(
      Array.from({ length: 5 }, () => releaseSubmission(testApp.deps, forms, held?.id ?? '')),
    );

    expect(answers.sort()).toEqual([...Array<string>(4).fill('already_delivered'), 'released']);
    expect(await rows(testApp)).toMatchObject([{ ...sent, spamSignals: null }]);
    expect(listQuarantined(testApp.deps.db, forms)).toEqual([]);
    expect(await emailedKinds(testApp)).toEqual(emails);
    expect(testApp.emails.sent[0]?.text).toContain(sent.message);
  });

  test('does not deliver a submission twice', async () => {
    await using testApp = await makeTestApp();
    await testApp.browser().post(path, sent);
    await testApp.deps.outbox.drain();
    const before = allRows(testApp.deps.db);
    const [row] = await rows(testApp);
    expect(await releaseSubmission(testApp.deps, forms, row?.id ?? '')).toBe('already_delivered');
    expect(allRows(testApp.deps.db)).toEqual(before);
  });

  test('a failed release keeps the submission in quarantine', async () => {
    await using testApp = await makeTestApp();
    const { db } = testApp.deps;
    await testApp.browser().post(path, { ...sent, homepage: 'x' });
    const [held] = listQuarantined(testApp.deps.db, forms);
    db.$client.exec(
      `CREATE TRIGGER full BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'disk is full'); END`,
    );
    await expect(releaseSubmission(testApp.deps, forms, held?.id ?? '')).rejects.toThrow(
      'disk is full',
    );
    expect(listQuarantined(testApp.deps.db, forms)).toEqual([held]);
    expect(await db.select().from(outbox)).toEqual([]);
  });
});

test('does not release an unknown submission', async () => {
  await using testApp = await makeTestApp();
  expect(await releaseSubmission(testApp.deps, forms, 'no-such-id')).toBe('not_found');
});
