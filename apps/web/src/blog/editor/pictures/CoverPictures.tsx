import type { Picture } from '@app/contract/blog/picture-replies';
import { pictureTexts } from '@app/site/blog/pictures';
import { type RefObject, useEffect, useRef } from 'react';
import { UploadList } from '../../pictures/UploadList.tsx';
import { newUploadId } from '../../pictures/upload-id.ts';
import { useUploadQueue } from '../../pictures/use-upload-queue.ts';
import { PictureDialog, type PictureDialogHandle } from './PictureDialog.tsx';

export interface CoverPicturesHandle {
  openDialog: () => void;
}

export interface CoverPicturesProps {
  field: RefObject<HTMLInputElement | null>;
  onReady: (handle: CoverPicturesHandle) => void;
}

/** Fills in the cover field. A cover has no description, because the title is below it. */
export const CoverPictures = ({ field, onReady }: CoverPicturesProps) => {
  const dialog = useRef<PictureDialogHandle>(null);
  const onChoose = ({ path }: Picture) => {
    const input = field.current;
    if (!input) return;
    input.value = path;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    dialog.current?.close();
  };
  const { queue, uploads, announcement } = useUploadQueue({
    onStored(_, picture) {
      onChoose(picture);
      return pictureTexts.says.isCover;
    },
  });

  useEffect(() => onReady({ openDialog: () => dialog.current?.open() }), [onReady]);

  const removeAll = () => {
    for (const { id } of queue.uploads()) queue.remove(id);
  };
  const onFiles = ([file]: File[]) => {
    if (!file) return;
    // Only one picture can be the cover.
    removeAll();
    queue.add([{ id: newUploadId(), file }]);
  };

  return (
    <PictureDialog
      ref={dialog}
      heading={pictureTexts.chooseCover}
      multiple={false}
      hint={pictureTexts.fileHint}
      onFiles={onFiles}
      onChoose={onChoose}
      // Cancels uploads, because their progress is only shown here.
      onClose={removeAll}
    >
      <p className="sr-only" role="status">
        {announcement}
      </p>
      <UploadList
        uploads={uploads.filter(({ state }) => state !== 'stored')}
        queue={queue}
        renderStored={() => null}
      />
    </PictureDialog>
  );
};
