import { avatarField } from '@app/contract/accounts/avatars';
import { accountMessages } from '@app/contract/accounts/messages';
import { limits } from '@app/contract/limits';
import { type ChangeEvent, type MouseEvent, type SubmitEvent, useRef, useState } from 'react';
import { FormResult } from '../../components/form/FormResult.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { Toast } from '../../components/form/Toast.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { useDialog } from '../../components/use-dialog.ts';
import { callWhenReady } from '../../forms/submit/call-when-ready.ts';
import type { Failure } from '../../http/call-api.ts';
import { failureFlash, useFlash } from '../sign-in/flash-message.ts';
import { signedOutNotice } from '../sign-in/signed-out.ts';
import { Avatar } from './Avatar.tsx';
import { sendAvatar } from './send-avatar.ts';
import '../../components/dialog.css';

const texts = accountMessages.avatar;
const failed = (description: string): NoticeText => ({
  tone: 'danger',
  title: texts.failed,
  description,
});
const signedOut = (): NoticeText => {
  const { title, link } = signedOutNotice();
  return {
    tone: 'warning',
    title: texts.failed,
    description: `${texts.notSignedIn}. ${title}.`,
    link,
  };
};
const updated: NoticeText = { tone: 'success', ...texts.updated };
const removed: NoticeText = { tone: 'success', title: texts.removed };
/** Fragments the API redirects to without scripts. */
const targets = {
  'avatar-updated': updated,
  'avatar-removed': removed,
  'avatar-no-file': failed(texts.noFile),
  'avatar-too-large': failed(texts.tooLarge),
  'avatar-too-many-pixels': failed(texts.tooManyPixels),
  'avatar-animated': failed(texts.animated),
  'avatar-unreadable': failed(texts.unreadable),
  'avatar-failed': failed(texts.busy),
};

/** `sent` is the uploaded fraction, from 0 to 1. */
type Task = { sent: number } | 'removing' | null;

interface AvatarEditorProps {
  url: string | null;
  initials: string;
  onChanged: (url: string | null) => void;
}

/** The Change Avatar button and its dialog. Without scripts the dialog opens as a popover and posts its forms. */
export const AvatarEditor = ({ url, initials, onChanged }: AvatarEditorProps) => {
  const [submitted, setSubmitted] = useState(false);
  const [preview, setPreview] = useState<string | null>(null);
  const [task, setTask] = useState<Task>(null);
  const [flash, setFlash] = useFlash();
  const isBusy = task !== null;
  const form = useRef<HTMLFormElement>(null);
  const {
    isOpen,
    open: openDialog,
    close,
    attributes,
  } = useDialog({
    isBusy,
    onClose: () => {
      setPreview(null);
      form.current?.reset();
    },
  });

  const open = (event: MouseEvent) => {
    event.preventDefault();
    setFlash(null);
    openDialog();
  };

  const showFailure = (description: string) => setFlash({ toast: failed(description) });
  const fail = (reply: Failure) => {
    const issue = reply.problem?.issues?.[0];
    if (issue) showFailure(issue.message);
    else if (reply.problem?.code === 'not_signed_in') setFlash({ toast: signedOut() });
    else setFlash(failureFlash(reply, { title: texts.failed }));
  };

  const onChoose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    setFlash(null);
    setPreview(null);
    const [file] = target.files ?? [];
    if (!file) return;
    if (file.size > limits.avatarBytes) {
      target.value = '';
      showFailure(texts.tooLarge);
      return;
    }
    setPreview(await dataUrlOf(file));
  };

  const upload = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setSubmitted(true);
    setFlash(null);
    const body = new FormData(event.currentTarget);
    const file = body.get(avatarField);
    if (!(file instanceof File) || (file.size === 0 && file.name === '')) {
      showFailure(texts.noFile);
      return;
    }
    setTask({ sent: 0 });
    const reply = await sendAvatar(body, (sent) => setTask({ sent }));
    setTask(null);
    if (!reply.ok) {
      fail(reply);
      return;
    }
    close();
    onChanged(reply.value.avatarUrl);
    setFlash({ toast: updated });
  };

  const remove = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setSubmitted(true);
    setFlash(null);
    setTask('removing');
    const reply = await callWhenReady('DELETE', '/api/profile/avatar');
    setTask(null);
    if (!reply.ok) {
      fail(reply);
      return;
    }
    close();
    onChanged(null);
    setFlash({ toast: removed });
  };

  // Everything outside an open dialog is inert.
  const toast = flash && <Toast {...flash.toast} />;

  return (
    <>
      <button
        className="button button-outline button-sm"
        type="button"
        popoverTarget="avatar-editor"
        onClick={open}
      >
        Change Avatar
      </button>
      <FormResult submitted={submitted} targets={targets}>
        {!isOpen && toast}
      </FormResult>
      <dialog
        {...attributes}
        id="avatar-editor"
        className="dialog"
        popover="auto"
        aria-labelledby="avatar-heading"
        aria-busy={isBusy}
      >
        <h2 className="text-title" id="avatar-heading">
          Change Avatar
        </h2>
        <div className="avatar-preview">
          <Avatar url={preview ?? url} initials={initials} />
          {isBusy && <Spinner />}
        </div>
        <form
          ref={form}
          action="/api/profile/avatar"
          method="post"
          encType="multipart/form-data"
          className="grid gap-4"
          onSubmit={upload}
        >
          <div>
            <label className="font-semibold" htmlFor="avatar-file">
              Picture
            </label>
            <input
              className="input picker mt-1.5"
              id="avatar-file"
              name={avatarField}
              type="file"
              accept="image/*"
              aria-describedby="avatar-hint"
              disabled={task === 'removing'}
              onChange={onChoose}
            />
            <p className="mt-2 text-sm text-muted-foreground" id="avatar-hint">
              JPEG, PNG, WebP, AVIF or GIF, up to 5 MB. Its middle is cut to a square.
            </p>
          </div>
          {task !== null && task !== 'removing' && <Progress sent={task.sent} />}
          <button className="button" type="submit" disabled={isBusy}>
            {isBusy && task !== 'removing' ? 'Uploading...' : 'Upload'}
          </button>
        </form>
        <div className="mt-3 flex flex-wrap gap-3">
          {url && (
            <form
              className="flex-1"
              action="/api/profile/avatar/delete"
              method="post"
              onSubmit={remove}
            >
              <button
                className="button button-outline w-full whitespace-nowrap"
                type="submit"
                disabled={isBusy}
              >
                {task === 'removing' ? 'Removing...' : 'Remove picture'}
              </button>
            </form>
          )}
          <button
            className="button button-outline flex-1"
            type="button"
            popoverTarget="avatar-editor"
            popoverTargetAction="hide"
            disabled={isBusy}
            onClick={close}
          >
            Cancel
          </button>
        </div>
        <div className="outcome" aria-live="polite">
          {isOpen && toast}
        </div>
      </dialog>
    </>
  );
};

/** Upload progress, then an indeterminate bar while the server processes the picture. */
const Progress = ({ sent }: { sent: number }) => (
  <div role="status">
    <progress
      className="progress"
      value={sent < 1 ? sent : undefined}
      max={1}
      aria-label="Upload"
    />
    <p className="mt-1.5 text-sm text-muted-foreground">
      {sent < 1 ? `${Math.round(sent * 100)} % sent` : 'Almost there: the picture is cut to size.'}
    </p>
  </div>
);

/** The content security policy allows data URLs for images, not blob URLs. */
const dataUrlOf = (file: File): Promise<string | null> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(file);
  });
