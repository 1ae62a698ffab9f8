import { accountMessages } from '@app/contract/accounts/messages';
import { blogMessages } from '@app/contract/blog/messages';
import { Notice } from '../../components/form/Notice.tsx';

const { signInToWrite, mayNotWrite } = blogMessages;

/** Instead of the form, which others could not save. */
export const NotAWriter = ({ isSignedOut }: { isSignedOut: boolean }) =>
  isSignedOut ? (
    <Notice
      tone="warning"
      title={signInToWrite}
      link={{ href: '/auth', label: accountMessages.signedOut.link }}
    />
  ) : (
    <Notice
      tone="warning"
      title={mayNotWrite.title}
      description={mayNotWrite.description}
      link={{ href: '/contact', label: mayNotWrite.link }}
    />
  );
