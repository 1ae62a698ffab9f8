import { blogMessages } from '@app/contract/blog/messages';
import type { PictureDeleted } from '@app/contract/blog/picture-replies';
import { messages } from '@app/contract/messages';
import { pictureTexts } from '@app/site/blog/pictures';
import { Notice, type NoticeText } from '../../components/form/Notice.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { useFormAction } from '../../components/form/use-form-action.ts';
import { useDialog } from '../../components/use-dialog.ts';
import { callApi } from '../../http/call-api.ts';

const { deletion } = pictureTexts;

interface DeletePictureProps {
  id: string;
  /** Id of the element with the picture's description. */
  describedBy: string;
  disabled: boolean;
  onDeleted: () => void;
}

/** Asks for confirmation in a dialog. */
export const DeletePicture = ({ id, describedBy, disabled, onDeleted }: DeletePictureProps) => {
  const path = `/api/posts/pictures/${id}`;
  const dialog = `delete-${id}`;
  const { isPending, result, show, onSubmit } = useFormAction<NoticeText>(async () => {
    const reply = await callApi<PictureDeleted>('DELETE', path);
    if (!reply.ok) {
      const description = reply.problem?.detail ?? messages.forms.unreachable;
      return { result: { tone: 'danger', title: blogMessages.pictures.deleteFailed, description } };
    }
    close();
    onDeleted();
    return {};
  });
  const { close, opener, closer, attributes } = useDialog({
    isBusy: isPending,
    onOpen: () => show(null),
  });

  return (
    <>
      <button
        className="button button-danger button-sm"
        aria-describedby={describedBy}
        disabled={disabled}
        {...opener}
      >
        {pictureTexts.delete}
      </button>
      <dialog
        {...attributes}
        className="dialog"
        aria-labelledby={`${dialog}-heading`}
        aria-busy={isPending}
      >
        <h3 className="text-title" id={`${dialog}-heading`}>
          {deletion.heading}
        </h3>
        <p className="mt-2 text-muted-foreground">{deletion.text}</p>
        <form className="mt-6 flex flex-wrap justify-end gap-3" onSubmit={onSubmit}>
          <button className="button button-outline button-sm" {...closer}>
            {deletion.cancel}
          </button>
          <SubmitButton
            className="button button-danger button-sm"
            busyLabel={pictureTexts.deleting}
            isWaiting={isPending}
          >
            {deletion.submit}
          </SubmitButton>
        </form>
        <div className="*:mt-5" aria-live="polite">
          {result && <Notice {...result} isInLiveRegion />}
        </div>
      </dialog>
    </>
  );
};
