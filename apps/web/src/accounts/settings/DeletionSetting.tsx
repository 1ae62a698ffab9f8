import { accountMessages } from '@app/contract/accounts/messages';
import { accountDeletion } from '@app/contract/accounts/settings';
import { settings } from '@app/site/accounts/settings';
import { use, useState } from 'react';
import { FormResult } from '../../components/form/FormResult.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { Toast } from '../../components/form/Toast.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { queueToast } from '../../components/toast-after-redirect.ts';
import { useDialog } from '../../components/use-dialog.ts';
import { redirectSignedOut } from '../../http/call-api.ts';
import { callWhenReady } from '../../http/call-when-ready.ts';
import { forgetDeviceCopies } from '../menu/sign-out.ts';
import { type Flash, flashAfterFailure } from '../sign-in/flash-message.ts';
import { ReauthenticationContext } from './reauthentication.ts';
import { Setting } from './Setting.tsx';

const { deletion: words } = settings;
const title = accountMessages.settings.notDeleted;
const failed: NoticeText = { tone: 'danger', title };
const targets = { 'deletion-invalid': failed, 'deletion-failed': failed };

const choiceClass = 'flex min-h-11 cursor-pointer items-center gap-3';
const boxClass = 'size-4.5 flex-none accent-primary';

/** Its dialog opens as a popover without JavaScript. */
export const DeletionSetting = () => {
  const { isAsking, askIfRequired } = use(ReauthenticationContext);
  // Initially true for forms without JavaScript, in which the browser requires the checkbox.
  const [isSure, setSure] = useState(true);

  const { submitted, isPending, result, show, attributes } = useForm<typeof accountDeletion, Flash>(
    {
      schema: accountDeletion,
      read: (fields) => ({ posts: fields.get('posts') }),
      send: async (deletion, form) => {
        const reply = await callWhenReady('DELETE', '/api/account', deletion);
        if (!reply.ok) {
          askIfRequired(reply, form);
          return flashAfterFailure(reply, { title });
        }
        queueToast({ title: accountMessages.settings.deleted });
        await forgetDeviceCopies();
        redirectSignedOut();
        return new Promise<never>(() => undefined);
      },
    },
  );

  const {
    isOpen,
    opener,
    closer,
    attributes: dialogAttributes,
  } = useDialog({
    id: 'account-deletion',
    isBusy: isPending,
    onOpen: () => {
      show(null);
      // It can be checked already if the dialog was opened before hydration.
      setSure(
        attributes.ref.current?.querySelector<HTMLInputElement>('[type=checkbox]')?.checked ??
          false,
      );
    },
    onClose: () => attributes.ref.current?.reset(),
  });
  const toast = result && !isAsking && <Toast {...result.toast} />;

  return (
    <Setting id="deletion" heading={words.heading}>
      <dl>
        <dt className="font-semibold">{words.deleted.heading}</dt>
        <dd className="text-muted-foreground">{words.deleted.text}</dd>
        <dt className="mt-3 font-semibold">{words.retained.heading}</dt>
        <dd className="text-muted-foreground">{words.retained.text}</dd>
      </dl>
      <button className="button button-danger button-sm mt-4" {...opener}>
        {words.heading}
      </button>
      <FormResult submitted={submitted} targets={targets}>
        {!isOpen && toast}
      </FormResult>
      <dialog {...dialogAttributes} className="dialog" aria-labelledby="account-deletion-heading">
        <h2 className="text-title" id="account-deletion-heading">
          {words.question}
        </h2>
        <form
          {...attributes}
          // Without JavaScript, only the browser requires the checkbox.
          noValidate={false}
          action="/api/account/delete"
          method="post"
          className="mt-5"
        >
          <fieldset>
            <legend className="font-semibold">{words.posts}</legend>
            <label className={`mt-2 ${choiceClass}`}>
              <input className={boxClass} type="radio" name="posts" value="keep" defaultChecked />
              {words.keepPosts}
            </label>
            <label className={choiceClass}>
              <input className={boxClass} type="radio" name="posts" value="delete" />
              {words.deletePosts}
            </label>
          </fieldset>
          <label className={`mt-4 ${choiceClass}`}>
            <input
              className={boxClass}
              type="checkbox"
              required
              onChange={({ target }) => setSure(target.checked)}
            />
            {words.confirm}
          </label>
          <div className="mt-6 flex flex-wrap gap-3">
            <button className="button button-outline flex-1" {...closer}>
              {words.cancel}
            </button>
            <SubmitButton
              className="button button-danger flex-1 whitespace-nowrap"
              busyLabel={words.submitting}
              disabled={!isSure}
            >
              {words.submit}
            </SubmitButton>
          </div>
        </form>
        <div className="*:mt-5" aria-live="polite">
          {isOpen && toast}
        </div>
      </dialog>
    </Setting>
  );
};
