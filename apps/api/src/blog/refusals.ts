import { blogMessages, writingMessages } from '@app/contract/blog/messages';
import type { EditConflict } from '@app/contract/edit-conflict';
import { serverMessages } from '@app/contract/messages';
import type { AppContext } from '../server/context.ts';
import { invalidInput } from '../server/input.ts';
import { problem } from '../server/problem.ts';
import { tooManyRequests } from '../server/rate-limits/middleware.ts';
import type { PostRefusal } from './posts/writing-access.ts';

export const notSignedIn = (c: AppContext): Response =>
  problem(c, 'not_signed_in', blogMessages.signInToSave);

export const noSuchPost = (c: AppContext): Response =>
  problem(c, 'not_found', blogMessages.notFound);

/** For lists whose `nextCursor` is null on the last page. */
export const cursorParameter = { cursor: 'The `nextCursor` of the previous page.' };

export const invalidCursor = (c: AppContext): Response =>
  problem(c, 'invalid_cursor', 'Use the nextCursor of the previous page, unchanged.');

export function answerRefusal(c: AppContext, refusal: PostRefusal): Response {
  switch (refusal.refused) {
    case 'not_signed_in':
      return notSignedIn(c);
    case 'not_allowed':
      return problem(c, 'not_allowed', writingMessages.staffOnly);
    case 'other_account':
      return problem(c, 'other_account', blogMessages.unsaved.otherAccount);
    case 'not_yours':
      return problem(c, 'not_allowed', blogMessages.notYours);
    case 'not_found':
      return noSuchPost(c);
    case 'no_revision':
      return problem(c, 'not_found', blogMessages.revisions.notFound);
    case 'no_name':
      return problem(c, 'name_required', blogMessages.nameRequired.detail);
    case 'slug_taken':
      return problem(c, 'slug_taken', blogMessages.slugTaken, {
        issues: [{ path: 'slug', message: blogMessages.slugTaken }],
      });
    case 'edit_conflict':
      return problem(c, 'edit_conflict', conflictMessage(refusal.conflict), {
        conflict: refusal.conflict,
      });
    case 'content':
      return invalidInput(c, [{ path: 'content', message: refusal.problem }]);
    case 'schedule':
      return invalidInput(c, [{ path: 'scheduledAt', message: refusal.problem }]);
    case 'quota': {
      const { detail, retryAfterSeconds } = refusal;
      if (retryAfterSeconds !== undefined) return tooManyRequests(c, retryAfterSeconds, detail);
      return problem(c, 'quota_exceeded', detail);
    }
    case 'no_space':
      return problem(c, 'busy', serverMessages.noSpace, { headers: { 'Retry-After': '60' } });
    case 'busy':
      return problem(c, 'busy', writingMessages.busy, { headers: { 'Retry-After': '5' } });
  }
}

const conflictMessage = ({ isYours, savedBy }: EditConflict): string =>
  isYours ? blogMessages.ownEditConflict : blogMessages.editConflict(savedBy);
