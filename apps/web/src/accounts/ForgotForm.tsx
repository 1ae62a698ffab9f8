import { accountMessages } from '@app/contract/account-messages';
import { forgottenPassword } from '@app/contract/accounts';
import { messages } from '@app/contract/messages';
import { EmailField } from '../forms/EmailField.tsx';
import { Notice, type NoticeText } from '../forms/Notice.tsx';
import { useForm } from '../forms/use-form.ts';
import { callAccount } from './call-account.ts';
import { SaidHere } from './SaidHere.tsx';
import { saidOf, useSaid } from './said.ts';

const sent: NoticeText = { tone: 'good', ...accountMessages.password.forgotSent };
const failed = { title: accountMessages.password.forgotFailed };

/** Where the API leads without a script, and from links that are used or too old. */
const targets: Readonly<Record<string, NoticeText>> = {
  sent,
  'dead-link': { tone: 'amber', ...accountMessages.password.deadLink },
  'change-cancelled': { tone: 'good', ...accountMessages.settings.emailChangeCancelled },
  'cannot-cancel': { tone: 'amber', ...accountMessages.settings.emailCancelDeadLink },
  invalid: { tone: 'alarm', title: messages.field.emailInvalid },
  'too-many': { tone: 'amber', ...accountMessages.limits.notice },
  failed: { tone: 'alarm', ...failed },
};

/** Asks for a link to choose a new password. The answer is the same for every address. */
export const ForgotForm = () => {
  const [said, setSaid] = useSaid();

  const { tried, busy, errors, attributes } = useForm({
    schema: forgottenPassword,
    clear: () => setSaid(null),
    send: async (request) => {
      const reply = await callAccount('forgot-password', request);
      if (!reply.ok && reply.problem?.issues) return reply.problem.issues;
      setSaid(reply.ok ? { toast: sent } : saidOf(reply, { ...failed, isTyped: true }));
      return [];
    },
  });

  return (
    <>
      <div className="notices">
        {!tried &&
          Object.entries(targets).map(([target, text]) => (
            <Notice key={target} {...text} target={target} />
          ))}
      </div>
      <form {...attributes} action="/api/auth/forgot-password" method="post" className="grid gap-5">
        <EmailField id="forgot-email" errors={errors} autoComplete="username" />
        <button className="button" type="submit" disabled={busy}>
          {busy ? 'Sending...' : 'Email me a link'}
        </button>
      </form>
      <SaidHere said={said} />
    </>
  );
};
