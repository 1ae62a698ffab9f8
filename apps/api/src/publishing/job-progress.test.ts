import { migrate } from '@app/db/migrate';
import { close, open } from '@app/db/open';
import { publishJobs } from '@app/db/schema/publishing';
import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { createJobProgress } from './job-progress.ts';
import { insertPublishJob } from './jobs.ts';

function begin() {
  const db = open(':memory:');
  migrate(db);
  onTestFinished(() => close(db));
  const insert = () => insertPublishJob(db, 0, ['/blog']);
  return { db, insert, progress: createJobProgress(db) };
}

test('counts jobs as done up to the first one that is waiting or running', () => {
  const { insert, progress } = begin();
  const [first, second, third] = [insert(), insert(), insert()];
  progress.list();
  expect(progress.waiting()).toEqual([first, second, third]);
  expect([progress.doneUpTo([]), progress.depth()]).toEqual([0, 3]);

  progress.begin(first);
  progress.begin(third);
  progress.finish(third);
  expect([progress.doneUpTo([]), progress.depth()]).toEqual([0, 2]);
  expect(progress.doneUpTo([first])).toBe(first.id);
  progress.finish(first);
  expect([progress.doneUpTo([]), progress.depth()]).toEqual([first.id, 1]);
  progress.begin(second);
  progress.putBack(second);
  expect(progress.waiting()).toEqual([second]);
  progress.begin(second);
  progress.finish(second);
  expect([progress.doneUpTo([]), progress.depth()]).toEqual([third.id, 0]);
});

test('does not skip a job of another process that precedes one of its own', () => {
  const { insert, progress } = begin();
  const foreign = insert();
  const own = insert();
  progress.begin(own);
  progress.finish(own);
  expect([progress.doneUpTo([]), progress.depth()]).toEqual([0, 1]);
  progress.list();
  expect(progress.waiting()).toEqual([foreign]);
  expect([progress.doneUpTo([]), progress.depth()]).toEqual([0, 1]);
  progress.begin(foreign);
  progress.finish(foreign);
  expect([progress.doneUpTo([]), progress.depth()]).toEqual([own.id, 0]);
});

test('does not list a running job as waiting', () => {
  const { insert, progress } = begin();
  const own = insert();
  progress.begin(own);
  progress.list();
  expect(progress.waiting()).toEqual([]);
  expect(progress.depth()).toBe(1);
});

test('starts after the last job of the manifest, or of the database if that is older', () => {
  const { insert, progress } = begin();
  const [first, second] = [insert(), insert()];
  progress.startAfter(first.id);
  progress.list();
  expect(progress.waiting()).toEqual([second]);

  progress.startAfter(99);
  progress.list();
  expect(progress.waiting()).toEqual([]);
  expect(progress.doneUpTo([])).toBe(second.id);
  const third = insert();
  progress.list();
  expect(progress.waiting()).toEqual([third]);
});

test('reports once that jobs were deleted before they were listed', () => {
  const { db, insert, progress } = begin();
  const deleteAll = () => db.delete(publishJobs).run();
  const first = insert();
  progress.list();
  progress.begin(first);
  progress.finish(first);
  deleteAll();
  progress.list();
  expect(progress.takeMissed()).toBe(false);

  insert();
  deleteAll();
  progress.list();
  expect([progress.takeMissed(), progress.takeMissed()]).toEqual([true, false]);
  const [deleted, third] = [insert(), insert()];
  db.delete(publishJobs).where(eq(publishJobs.id, deleted.id)).run();
  progress.list();
  expect(progress.waiting()).toEqual([third]);
  expect(progress.takeMissed()).toBe(true);
  expect(progress.doneUpTo([third])).toBe(third.id);
});

test('finds new jobs after starting on a table whose jobs were all deleted', () => {
  const { db, insert, progress } = begin();
  const { id } = insert();
  db.delete(publishJobs).run();
  progress.startAfter(id);
  const next = insert();
  progress.list();
  expect(progress.waiting()).toEqual([next]);
  expect(progress.takeMissed()).toBe(false);
});
