import type { Picture } from '@app/contract/blog/picture-replies';
import { markdownOfPicture } from '@app/contract/blog/pictures';
import { pictureTexts } from '@app/site/blog/pictures';
import { type RefObject, useEffect, useState } from 'react';
import { DescribePicture, type Description } from '../../pictures/DescribePicture.tsx';
import { storeAlt } from '../../pictures/store-alt.ts';
import { UploadList } from '../../pictures/UploadList.tsx';
import { newUploadId } from '../../pictures/upload-id.ts';
import type { Upload } from '../../pictures/upload-queue.ts';
import { useUploadQueue } from '../../pictures/use-upload-queue.ts';
import type { MarkdownEditor } from '../markdown/create-editor.ts';
import { PictureDialog } from './PictureDialog.tsx';

export interface TextPicturesHandle {
  /** Their places are reserved in the text. */
  add: (files: readonly { id: number; file: File }[]) => void;
  openDialog: () => void;
}

export interface TextPicturesProps {
  markdown: RefObject<MarkdownEditor | null>;
  onReady: (handle: TextPicturesHandle) => void;
}

/** Puts pictures into the text: uploads with their progress, the dialog, and the descriptions. */
export const TextPictures = ({ markdown, onReady }: TextPicturesProps) => {
  const places = () => markdown.current?.pictures;
  const { queue, uploads, announcement, announce } = useUploadQueue({
    onStored({ id, name }, { path, alt }) {
      places()?.insert(id, markdownOfPicture(path, alt));
      return pictureTexts.says.inserted(name);
    },
    onFailed: ({ id }) => places()?.setLabel(id, null),
  });
  const [opening, setOpening] = useState(0);
  const [closing, setClosing] = useState(0);

  const add = (files: readonly { id: number; file: File }[]) => {
    queue.add(files);
    announce(pictureTexts.says.started(files.length));
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the queue and setters stay the same
  useEffect(() => onReady({ add, openDialog: () => setOpening((count) => count + 1) }), []);

  const reserve = (name: string): number => {
    const id = newUploadId();
    places()?.reserve(id, pictureTexts.place(name), null);
    return id;
  };
  const onFiles = (files: File[]) => {
    add(files.map((file) => ({ id: reserve(file.name), file })));
    setClosing((count) => count + 1);
  };
  const onChoose = (picture: Picture) => {
    const name = picture.alt || pictureTexts.tool;
    const id = reserve(name);
    places()?.insert(id, markdownOfPicture(picture.path, picture.alt));
    queue.addStored(id, name, picture);
    announce(pictureTexts.says.inserted(name));
    setClosing((count) => count + 1);
  };
  const onRemove = ({ id, name, state }: Upload) => {
    places()?.release(id);
    if (state !== 'failed') announce(pictureTexts.says.canceled(name));
    markdown.current?.focus();
  };
  const onDescribed = (id: number, picture: Picture, { alt, caption }: Description) => {
    places()?.describe(id, picture.path, markdownOfPicture(picture.path, alt, caption));
    places()?.release(id);
    queue.remove(id);
    void storeAlt(picture, alt);
    markdown.current?.focus();
  };

  return (
    <>
      <p className="sr-only" role="status">
        {announcement}
      </p>
      {uploads.length > 0 && (
        <div className="sticky bottom-0 z-10 pointer-coarse:bottom-14 max-h-[min(45dvh,22rem)] overflow-y-auto border-t border-border bg-surface px-3.5">
          <UploadList
            uploads={uploads}
            queue={queue}
            onRetry={({ id, name }) => places()?.setLabel(id, pictureTexts.place(name))}
            onRemove={onRemove}
            renderStored={({ id, name }, picture) => (
              <DescribePicture
                picture={picture}
                name={name}
                hasCaption
                onDone={(description) => onDescribed(id, picture, description)}
              />
            )}
          />
        </div>
      )}
      <PictureDialog
        heading={pictureTexts.insert}
        multiple
        hint={pictureTexts.pasteHint}
        opening={opening}
        closing={closing}
        onFiles={onFiles}
        onChoose={onChoose}
      />
    </>
  );
};
