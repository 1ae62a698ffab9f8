import { blogMessages } from '@app/contract/blog/messages';
import { findScheduleProblem } from '@app/contract/blog/schedule';
import { blogPosts } from '@app/db/schema/blog';
import { sql } from 'drizzle-orm';
import type { PostRefusal, StoredPost } from '../posts/writing-access.ts';

export type Schedule = Pick<StoredPost, 'scheduledAt' | 'scheduledBy' | 'droppedSchedule'>;

export const unscheduled: Schedule = {
  scheduledAt: null,
  scheduledBy: null,
  droppedSchedule: null,
};

/** For SQL: ends schedules whose user may no longer change the post. Its author sees that. */
export const droppedSchedule = { ...unscheduled, droppedSchedule: sql`${blogPosts.scheduledAt}` };

/**
 * The schedule after a change. Publishing ends it.
 * @param requested undefined if the change does not mention it
 */
export function planSchedule(
  { scheduledAt, scheduledBy }: Pick<Schedule, 'scheduledAt' | 'scheduledBy'>,
  requested: string | null | undefined,
  { published, userId, now }: { published: boolean; userId: string; now: number },
): Schedule | PostRefusal {
  if (published && requested) return refuse(blogMessages.schedule.published);
  if (published || requested === null) return unscheduled;
  const time = requested === undefined ? scheduledAt : Date.parse(requested);
  if (time === null || time === scheduledAt) return { ...unscheduled, scheduledAt, scheduledBy };
  const problem = findScheduleProblem(time, now);
  return problem === null
    ? { ...unscheduled, scheduledAt: time, scheduledBy: userId }
    : refuse(problem);
}

const refuse = (problem: string): PostRefusal => ({ refused: 'schedule', problem });
