import { careerInquiry } from '@app/contract/careers';
import { messages } from '@app/contract/messages';
import type { FormAgain } from '../forms/form-again.ts';
import type { NoticeText } from '../forms/Notice.tsx';
import { useSubmission } from '../forms/use-submission.ts';

export const sent: NoticeText = { tone: 'good', title: messages.careers.sent };
export const notStored: NoticeText = { tone: 'alarm', title: messages.careers.notStored };
export const failed: NoticeText = { tone: 'alarm', title: messages.careers.failed };

/** The career inquiry, wherever its form stands. */
export const useInquiry = (onSent: () => void, again?: FormAgain) =>
  useSubmission({
    action: '/api/careers',
    schema: careerInquiry,
    texts: { sent, notStored, failed: { ...failed, description: messages.forms.unreachableTyped } },
    again,
    onSent,
  });
