import type { AvatarSaved } from '@app/contract/accounts/avatars';
import { accountMessages } from '@app/contract/accounts/messages';
import { imageField } from '@app/contract/images';
import { limits } from '@app/contract/limits';
import { profile } from '@app/site/accounts/profile';
import { labels } from '@app/site/forms/labels';
import { type ChangeEvent, startTransition, useOptimistic, useRef, useState } from 'react';
import { useFormStatus } from 'react-dom';
import { FormResult } from '../../components/form/FormResult.tsx';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { Toast } from '../../components/form/Toast.tsx';
import { type Outcome, useFormAction } from '../../components/form/use-form-action.ts';
import { Spinner } from '../../components/Spinner.tsx';
import { useDialog } from '../../components/use-dialog.ts';
import type { Failure } from '../../http/call-api.ts';
import { callWhenReady } from '../../http/call-when-ready.ts';
import { sendFile } from '../../http/send-file.ts';
import { type Flash, flashAfterFailure } from '../sign-in/flash-message.ts';
import { signedOutNotice } from '../sign-in/signed-out.ts';
import { Avatar } from './Avatar.tsx';

const texts = accountMessages.avatar;
const words = profile.avatar;
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
const targets = {
  'avatar-updated': updated,
  'avatar-removed': removed,
  'avatar-no-file': failed(texts.noFile),
  'avatar-too-large': failed(texts.tooLarge),
  'avatar-too-many-pixels': failed(texts.tooManyPixels),
  'avatar-animated': failed(texts.animated),
  'avatar-too-complex': failed(texts.tooComplex),
  'avatar-unreadable': failed(texts.unreadable),
  'avatar-failed': failed(texts.busy),
};

interface AvatarEditorProps {
  url: string | null;
  initials: string;
  onChanged: (url: string | null) => void;
}

/** The Change Avatar button and its dialog, which opens as a popover without JavaScript. */
export const AvatarEditor = ({ url, initials, onChanged }: AvatarEditorProps) => {
  const [preview, setPreview] = useState<string | null>(null);
  const [sent, setSent] = useOptimistic(0);
  const uploadForm = useRef<HTMLFormElement>(null);

  const upload = async (form: HTMLFormElement): Promise<Outcome<Flash>> => {
    const body = new FormData(form);
    const file = body.get(imageField);
    if (!(file instanceof File) || (file.size === 0 && file.name === '')) {
      return { result: { toast: failed(texts.noFile) } };
    }
    if (file.size > limits.imageBytes) {
      form.reset();
      return { result: { toast: failed(texts.tooLarge) } };
    }
    const reply = await sendFile<AvatarSaved>('PUT', '/api/profile/avatar', body, {
      onProgress: (fraction) => startTransition(() => setSent(fraction)),
    });
    return reply.ok ? finish(reply.value.avatarUrl, updated) : failure(reply);
  };
  const remove = async (): Promise<Outcome<Flash>> => {
    const reply = await callWhenReady('DELETE', '/api/profile/avatar');
    return reply.ok ? finish(null, removed) : failure(reply);
  };
  const finish = (changedUrl: string | null, toast: NoticeText): Outcome<Flash> => {
    close();
    onChanged(changedUrl);
    return { result: { toast } };
  };

  const { submitted, isPending, result, show, onSubmit } = useFormAction<Flash>((form) =>
    form === uploadForm.current ? upload(form) : remove(),
  );
  const { isOpen, close, opener, closer, attributes } = useDialog({
    id: 'avatar-editor',
    isBusy: isPending,
    onOpen: () => show(null),
    onClose: () => {
      setPreview(null);
      uploadForm.current?.reset();
    },
  });

  const onChoose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    show(null);
    setPreview(null);
    const [file] = target.files ?? [];
    if (!file) return;
    // Submitting shows the error.
    if (file.size > limits.imageBytes) target.form?.requestSubmit();
    else {
      const url = await dataUrlOf(file);
      // Meanwhile, another file may have been chosen or the dialog closed.
      if (target.files?.[0] === file) setPreview(url);
    }
  };

  // Shown inside an open dialog, because everything outside is inert.
  const toast = result && <Toast {...result.toast} />;

  return (
    <>
      <button className="button button-outline button-sm" {...opener}>
        {words.change}
      </button>
      <FormResult submitted={submitted} targets={targets}>
        {!isOpen && toast}
      </FormResult>
      <dialog
        {...attributes}
        className="dialog"
        aria-labelledby="avatar-heading"
        aria-busy={isPending}
      >
        <h2 className="text-title" id="avatar-heading">
          {words.change}
        </h2>
        <div className="relative my-6 grid place-items-center">
          <Avatar className="w-32 text-[2rem]/[normal]" url={preview ?? url} initials={initials} />
          {isPending && <Spinner className="absolute size-35" />}
        </div>
        <form
          ref={uploadForm}
          action="/api/profile/avatar"
          method="post"
          encType="multipart/form-data"
          className="grid gap-4"
          onSubmit={onSubmit}
        >
          <div>
            <label className="font-semibold" htmlFor="avatar-file">
              {words.picture}
            </label>
            <input
              className="input mt-1.5 p-1.5 text-[0.9375rem] file:mr-3 file:min-h-8.5 file:rounded-md file:border file:border-input file:bg-muted file:px-3.5 file:py-1 file:font-semibold file:text-foreground"
              id="avatar-file"
              name={imageField}
              type="file"
              accept="image/*"
              aria-describedby="avatar-hint"
              disabled={isPending}
              onChange={onChoose}
            />
            <p className="mt-2 text-sm text-muted-foreground" id="avatar-hint">
              {words.hint}
            </p>
          </div>
          <Progress sent={sent} />
          <SubmitButton className="button" busyLabel={words.submitting} disabled={isPending}>
            {words.submit}
          </SubmitButton>
        </form>
        <div className="mt-3 flex flex-wrap gap-3">
          {url && (
            <form
              className="flex-1"
              action="/api/profile/avatar/delete"
              method="post"
              onSubmit={onSubmit}
            >
              <SubmitButton
                className="button button-outline w-full whitespace-nowrap"
                busyLabel={words.removing}
                disabled={isPending}
              >
                {words.remove}
              </SubmitButton>
            </form>
          )}
          <button className="button button-outline flex-1" {...closer}>
            {labels.cancel}
          </button>
        </div>
        <div className="*:mt-5" aria-live="polite">
          {isOpen && toast}
        </div>
      </dialog>
    </>
  );
};

/** @param props.sent from 0 to 1. At 1, the server processes the picture. */
const Progress = ({ sent }: { sent: number }) => {
  const { pending } = useFormStatus();
  if (!pending) return null;
  return (
    <div role="status">
      <progress
        className="block h-2 w-full overflow-hidden rounded-sm accent-primary"
        value={sent < 1 ? sent : undefined}
        max={1}
        aria-label={words.submit}
      />
      <p className="mt-1.5 text-sm text-muted-foreground">
        {sent < 1 ? words.sent(sent) : words.processing}
      </p>
    </div>
  );
};

const failure = (reply: Failure): Outcome<Flash> =>
  reply.problem?.code === 'not_signed_in'
    ? { result: { toast: signedOut() } }
    : flashAfterFailure(reply, { title: texts.failed });

/** A data URL, because the content security policy does not allow blob URLs for images. */
const dataUrlOf = (file: File): Promise<string | null> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(file);
  });
