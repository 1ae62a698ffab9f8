import type { Picture } from '@app/contract/blog/picture-replies';
import { pictureTexts } from '@app/site/blog/pictures';
import { type RefObject, useEffect, useState } from 'react';
import { UploadList } from '../../pictures/UploadList.tsx';
import { newUploadId } from '../../pictures/upload-id.ts';
import { useUploadQueue } from '../../pictures/use-upload-queue.ts';
import { PictureDialog } from './PictureDialog.tsx';

export interface CoverPicturesHandle {
  openDialog: () => void;
}

export interface CoverPicturesProps {
  field: RefObject<HTMLInputElement | null>;
  onReady: (handle: CoverPicturesHandle) => void;
}

/** Fills the field for the cover. A cover has no description: the title is below it. */
export const CoverPictures = ({ field, onReady }: CoverPicturesProps) => {
  const [opening, setOpening] = useState(0);
  const [closing, setClosing] = useState(0);
  const onChoose = ({ path }: Picture) => {
    const input = field.current;
    if (!input) return;
    input.value = path;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    setClosing((count) => count + 1);
  };
  const { queue, uploads, announcement } = useUploadQueue({
    onStored(_, picture) {
      onChoose(picture);
      return pictureTexts.says.isCover;
    },
  });

  useEffect(() => onReady({ openDialog: () => setOpening((count) => count + 1) }), [onReady]);

  const onFiles = ([file]: File[]) => {
    if (!file) return;
    // Only one can be the cover.
    for (const { id } of queue.uploads()) queue.remove(id);
    queue.add([{ id: newUploadId(), file }]);
  };

  return (
    <PictureDialog
      heading={pictureTexts.chooseCover}
      multiple={false}
      hint={pictureTexts.fileHint}
      opening={opening}
      closing={closing}
      onFiles={onFiles}
      onChoose={onChoose}
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
