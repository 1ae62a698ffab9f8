import { accountMessages } from '@app/contract/accounts/messages';
import { blogMessages } from '@app/contract/blog/messages';
import type { PostSaved } from '@app/contract/blog/posts';
import { messages } from '@app/contract/messages';
import type { Problem } from '@app/contract/problems';
import { editor } from '@app/site/blog/editor';
import { localTimeText } from '../../components/dates.ts';
import type { NoticeText } from '../../components/form/Notice.tsx';
import type { Outcome } from '../../components/form/use-form-action.ts';
import type { ToastText } from '../../components/toast-after-redirect.ts';
import { publishReportOf } from '../publish-report.ts';

export const saveFailed: NoticeText = {
  tone: 'danger',
  title: blogMessages.error,
  description: blogMessages.saveFailed,
};

const nameRequired: NoticeText = {
  tone: 'warning',
  title: blogMessages.nameRequired.title,
  description: blogMessages.nameRequired.detail,
  // In a new tab, so that the text is not lost.
  link: { href: '/profile', label: blogMessages.nameRequired.link, isInNewTab: true },
};

/** The post was deleted or unpublished. */
export const postGone: NoticeText = { tone: 'warning', ...editor.gone };

export const savedText = (
  { post, publishing, merged: isMerged }: PostSaved,
  title: string,
): ToastText => {
  const saved = savedAs(post, publishing);
  const description = isMerged ? `${saved}. ${blogMessages.merged}` : saved;
  return { title, description, ...publishReportOf(post, publishing) };
};

const savedAs = (
  { published, scheduledAt }: PostSaved['post'],
  publishing: PostSaved['publishing'],
): string => {
  const { savedPublished, savedPending, savedDraft, schedule } = blogMessages;
  if (scheduledAt !== null) return schedule.scheduledFor(localTimeText(scheduledAt));
  if (!published) return savedDraft;
  return publishing.state === 'pending' ? savedPending : savedPublished;
};

export const saveFailureOutcome = (problem: Problem | null): Outcome<NoticeText> => {
  if (!problem) return { result: { ...saveFailed, aside: messages.forms.unreachableTyped } };
  const { code, detail, issues } = problem;
  // The server does not know more either.
  if (code === 'internal') return { result: saveFailed };
  if (code === 'slug_taken') return { issues: [{ path: 'slug', message: detail }] };
  if (issues?.[0]) return { issues };
  if (code === 'name_required') return { result: nameRequired };
  if (code !== 'not_signed_in') return { result: { ...saveFailed, description: detail } };
  const { title, link: label } = accountMessages.signedOut;
  const description = blogMessages.signInToSave;
  const link = { href: '/auth', label, isInNewTab: true };
  return { result: { tone: 'warning', title, description, link } };
};
