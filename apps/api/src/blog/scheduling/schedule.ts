import { blogMessages } from '@app/contract/blog/messages';
import { findScheduleProblem } from '@app/contract/blog/schedule';
import type { PostRefusal, StoredPost } from '../posts/writing-access.ts';

export type Schedule = Pick<StoredPost, 'scheduledAt' | 'scheduledBy'>;

export const unscheduled: Schedule = { scheduledAt: null, scheduledBy: null };

/**
 * The schedule after a change. Publishing ends it.
 * @param requested undefined if the change does not mention it
 */
export function planSchedule(
  { scheduledAt, scheduledBy }: Schedule,
  requested: string | null | undefined,
  { published, userId, now }: { published: boolean; userId: string; now: number },
): Schedule | PostRefusal {
  if (published && requested) return refuse(blogMessages.schedule.published);
  if (published || requested === null) return unscheduled;
  const time = requested === undefined ? scheduledAt : Date.parse(requested);
  if (time === null || time === scheduledAt) return { scheduledAt, scheduledBy };
  const problem = findScheduleProblem(time, now);
  return problem === null ? { scheduledAt: time, scheduledBy: userId } : refuse(problem);
}

const refuse = (problem: string): PostRefusal => ({ refused: 'schedule', problem });
