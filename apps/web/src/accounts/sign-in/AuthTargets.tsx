import { accountMessages } from '@app/contract/accounts/messages';
import { messages } from '@app/contract/messages';
import { Notice } from '../../components/form/Notice.tsx';
import { googleFailed } from './GoogleFailedToast.tsx';
import { ResendForm } from './ResendForm.tsx';

const { title, description } = accountMessages.signedOut;
const signedOut = { title, description };

const { emailRequired, passwordRequired, emailInvalid, passwordTooShort } = messages.field;
/** Of both forms. Those of Sign Up have a prefix, which opens its tab. */
const rejections = {
  'email-required': { title: emailRequired },
  'password-required': { title: passwordRequired },
  'email-password-required': { title: emailRequired, description: passwordRequired },
  invalid: { title: emailInvalid, description: passwordTooShort },
};

interface AuthTargetsProps {
  entered: string;
}

export const AuthTargets = ({ entered }: AuthTargetsProps) => (
  <>
    {Object.entries(rejections).flatMap(([target, text]) =>
      [target, `sign-up-${target}`].map((id) => (
        <Notice key={id} tone="danger" {...text} target={id} />
      )),
    )}
    <Notice
      tone="danger"
      title={accountMessages.signIn.failed.title}
      description={accountMessages.signIn.wrong}
      target="invalid-credentials"
    />
    <Notice tone="warning" {...signedOut} target="signed-out" />
    <Notice tone="warning" title={accountMessages.signIn.notConfirmedNotice} target="not-confirmed">
      <ResendForm id="not-confirmed-resend" entered={entered} />
    </Notice>
    <Notice tone="warning" title={accountMessages.confirmation.deadLink} target="dead-link">
      <ResendForm id="dead-link-resend" entered={entered} />
    </Notice>
    <Notice
      tone="danger"
      title={accountMessages.confirmation.emailRequired}
      description={messages.field.emailInvalid}
      target="resend-invalid"
    >
      <ResendForm id="invalid-resend" entered={entered} />
    </Notice>
    <Notice tone="success" title={accountMessages.signUp.doneNotice} target="signed-up" />
    <Notice
      tone="success"
      title={accountMessages.confirmation.sentNotice}
      target="confirmation-sent"
    />
    <Notice tone="success" title={accountMessages.settings.deleted} target="account-deleted" />
    <Notice tone="success" {...accountMessages.settings.emailChanged} target="email-changed" />
    <Notice
      tone="danger"
      title={accountMessages.signUp.failed.title}
      description={accountMessages.password.common}
      target="sign-up-common"
    />
    <Notice tone="warning" title={accountMessages.google.link} target="google-link" />
    <Notice tone="danger" title={accountMessages.google.failed} target={googleFailed} />
    <Notice tone="warning" {...accountMessages.limits.notice} target="too-many" />
    <Notice tone="warning" {...accountMessages.limits.notice} target="sign-up-too-many" />
    <Notice tone="danger" title={accountMessages.signIn.failed.description} target="failed" />
    <Notice tone="danger" {...accountMessages.signUp.failed} target="sign-up-failed" />
  </>
);
