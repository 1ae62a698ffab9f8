import { accountMessages } from '@app/contract/accounts/messages';
import type { SignInMethods } from '@app/contract/accounts/settings';
import { messages } from '@app/contract/messages';
import { settings } from '@app/site/accounts/settings';
import { Notice } from '../../components/form/Notice.tsx';
import { PasswordField } from '../sign-in/PasswordField.tsx';
import { GoogleReauthentication } from './GoogleReauthentication.tsx';

const { title, description, wrong } = accountMessages.reauthentication;

/** Without JavaScript, the API redirects here if a change requires a recent sign-in. */
const targets = [
  { target: 'again', title, description },
  { target: 'again-required', title, description: messages.field.passwordRequired },
  { target: 'again-wrong', title, description: wrong },
];

export const ReauthenticationTargets = ({ methods }: { methods: SignInMethods }) =>
  targets.map(({ target, ...text }) => (
    <Notice key={target} tone="warning" {...text} target={target}>
      {methods.password && (
        <form action="/api/auth/sign-in-again" method="post" noValidate className="mt-4 grid gap-4">
          <PasswordField id={`${target}-password`} errors={{}} />
          <button className="button button-sm justify-self-start" type="submit">
            {settings.reauthentication.submit}
          </button>
        </form>
      )}
      {methods.google && <GoogleReauthentication />}
    </Notice>
  ));
