import { accountMessages } from '@app/contract/accounts/messages';
import { messages } from '@app/contract/messages';
import { Notice } from '../../components/form/Notice.tsx';
import { ResendForm } from './ResendForm.tsx';

const { title, description } = accountMessages.signedOut;
const signedOut = { title, description };

/** Notices for the fragments that the API and other pages redirect to. */
export const AuthTargets = () => (
  <>
    <Notice
      tone="alarm"
      title={accountMessages.signIn.failed.title}
      description={accountMessages.signIn.wrong}
      target="invalid-credentials"
    />
    <Notice tone="amber" {...signedOut} target="signed-out" />
    <Notice tone="amber" title={accountMessages.signIn.notConfirmedNotice} target="not-confirmed">
      <ResendForm id="not-confirmed-resend" />
    </Notice>
    <Notice tone="amber" title={accountMessages.confirmation.deadLink} target="dead-link">
      <ResendForm id="dead-link-resend" />
    </Notice>
    <Notice
      tone="alarm"
      title={accountMessages.confirmation.emailRequired}
      description={messages.field.emailInvalid}
      target="resend-invalid"
    >
      <ResendForm id="invalid-resend" />
    </Notice>
    <Notice tone="good" title={accountMessages.signUp.doneNotice} target="signed-up" />
    <Notice
      tone="good"
      title={accountMessages.confirmation.sentNotice}
      target="confirmation-sent"
    />
    <Notice tone="good" title={accountMessages.settings.deleted} target="account-deleted" />
    <Notice tone="good" {...accountMessages.settings.emailChanged} target="email-changed" />
    <Notice
      tone="alarm"
      title={messages.field.emailInvalid}
      description={messages.field.passwordTooShort}
      target="invalid"
    />
    <Notice
      tone="alarm"
      title={accountMessages.signUp.failed.title}
      description={accountMessages.password.common}
      target="common"
    />
    <Notice tone="amber" title={accountMessages.google.link} target="google-link" />
    <Notice tone="alarm" title={accountMessages.google.failed} target="google-failed" />
    <Notice tone="amber" {...accountMessages.limits.notice} target="too-many" />
    <Notice tone="alarm" title={accountMessages.signIn.failed.description} target="failed" />
  </>
);
