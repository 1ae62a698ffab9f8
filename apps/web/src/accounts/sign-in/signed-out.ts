import { accountMessages } from '@app/contract/accounts/messages';
import { signInPath } from '@app/contract/accounts/return-path';
import type { NoticeText } from '../../components/form/Notice.tsx';

const { title, description, link } = accountMessages.signedOut;

/** For a session that ended while the page was open. After the sign-in, the user returns here. */
export const signedOutNotice = (): NoticeText &
  Required<Pick<NoticeText, 'description' | 'link'>> => ({
  tone: 'warning',
  title,
  description,
  link: { href: signInPath(location.pathname + location.search), label: link },
});
