import { accountMessages } from '@app/contract/accounts/messages';
import { blogMessages } from '@app/contract/blog/messages';
import { Notice } from '../../components/form/Notice.tsx';

const { signInToWrite, mayNotWrite } = blogMessages;

interface NotAWriterProps {
  isSignedOut: boolean;
  hasTyped: boolean;
}

/** Replaces the form for users who cannot save it, or is shown above it if it has typed text. */
export const NotAWriter = ({ isSignedOut, hasTyped }: NotAWriterProps) =>
  isSignedOut ? (
    <Notice
      tone="warning"
      title={signInToWrite}
      link={{ href: '/auth', label: accountMessages.signedOut.link, isInNewTab: hasTyped }}
    />
  ) : (
    <Notice
      tone="warning"
      title={mayNotWrite.title}
      description={mayNotWrite.description}
      link={{ href: '/contact', label: mayNotWrite.link, isInNewTab: hasTyped }}
    />
  );
