import { careerInquiry, careerMessages } from '@app/contract/forms/careers';
import type { NoticeText } from '../../components/form/Notice.tsx';
import type { SavedEntries } from '../../components/form/saved-entries.ts';
import { useSubmission } from '../submit/use-submission.ts';

export const sent: NoticeText = { tone: 'success', title: careerMessages.sent };
export const notStored: NoticeText = { tone: 'danger', title: careerMessages.notStored };
export const failed: NoticeText = { tone: 'danger', title: careerMessages.failed };

export const useInquiry = (onSent: () => void, saved?: SavedEntries) =>
  useSubmission({
    action: '/api/careers',
    schema: careerInquiry,
    texts: { sent, notStored, failed },
    saved,
    onSent,
  });
