import { markdownOfPicture } from '@app/contract/blog/picture-markdown';
import type { Picture } from '@app/contract/blog/picture-replies';
import { pictureTexts } from '@app/site/blog/pictures';
import { type RefObject, useEffect, useRef } from 'react';
import { DescribePicture, type Description } from '../../pictures/DescribePicture.tsx';
import { storeAlt } from '../../pictures/store-alt.ts';
import { UploadList } from '../../pictures/UploadList.tsx';
import { newUploadId } from '../../pictures/upload-id.ts';
import type { Upload } from '../../pictures/upload-queue.ts';
import { useUploadQueue } from '../../pictures/use-upload-queue.ts';
import type { MarkdownEditor } from '../markdown/create-editor.ts';
import { PictureDialog, type PictureDialogHandle } from './PictureDialog.tsx';

export interface TextPicturesHandle {
  /** Expects that positions in the text are reserved for these ids. */
  add: (files: readonly { id: number; file: File }[]) => void;
  openDialog: () => void;
}

export interface TextPicturesProps {
  markdown: RefObject<MarkdownEditor | null>;
  onReady: (handle: TextPicturesHandle) => void;
}

/** Adds pictures to the text: the dialog, the progress of uploads, and their descriptions. */
export const TextPictures = ({ markdown, onReady }: TextPicturesProps) => {
  const inText = () => markdown.current?.pictures;
  const { queue, uploads, announcement, announce } = useUploadQueue({
    onStored({ id, name }, { path, alt }) {
      inText()?.insert(id, markdownOfPicture(path, alt));
      return pictureTexts.says.inserted(name);
    },
    onFailed: ({ id }) => inText()?.setPlaceholder(id, null),
  });
  const dialog = useRef<PictureDialogHandle>(null);

  const add = (files: readonly { id: number; file: File }[]) => {
    queue.add(files);
    announce(pictureTexts.says.started(files.length));
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the queue and setters stay the same
  useEffect(() => onReady({ add, openDialog: () => dialog.current?.open() }), []);

  const reserve = (name: string): number => {
    const id = newUploadId();
    inText()?.reserve(id, pictureTexts.placeholder(name), null);
    return id;
  };
  const onFiles = (files: File[]) => {
    add(files.map((file) => ({ id: reserve(file.name), file })));
    dialog.current?.close();
  };
  const onChoose = (picture: Picture) => {
    const name = picture.alt || pictureTexts.tool;
    const id = reserve(name);
    inText()?.insert(id, markdownOfPicture(picture.path, picture.alt));
    queue.addStored(id, name, picture);
    announce(pictureTexts.says.inserted(name));
    dialog.current?.close();
  };
  const onRemove = ({ id, name, state }: Upload) => {
    inText()?.release(id);
    if (state !== 'failed') announce(pictureTexts.says.canceled(name));
    markdown.current?.focus();
  };
  const applyDescription = (id: number, picture: Picture, { alt, caption }: Description) => {
    inText()?.describe(id, picture.path, markdownOfPicture(picture.path, alt, caption));
    void storeAlt(picture, alt);
  };
  const onDescribed = (id: number, picture: Picture, description: Description) => {
    applyDescription(id, picture, description);
    inText()?.release(id);
    queue.remove(id);
    markdown.current?.focus();
  };

  return (
    <>
      <p className="sr-only" role="status">
        {announcement}
      </p>
      {uploads.length > 0 && (
        <div className="sticky bottom-(--covered-bottom) z-10 max-h-[min(var(--visible-bottom,100dvh)*0.45,22rem)] overflow-y-auto border-t border-border bg-surface px-3.5 pointer-coarse:bottom-[calc(var(--covered-bottom)+3.5rem)]">
          <UploadList
            uploads={uploads}
            queue={queue}
            onRetry={({ id, name }) => inText()?.setPlaceholder(id, pictureTexts.placeholder(name))}
            onRemove={onRemove}
            renderStored={({ id, name }, picture) => (
              <DescribePicture
                picture={picture}
                name={name}
                hasCaption
                onChange={(description) => applyDescription(id, picture, description)}
                onDone={(description) => onDescribed(id, picture, description)}
              />
            )}
          />
        </div>
      )}
      <PictureDialog
        ref={dialog}
        heading={pictureTexts.insert}
        multiple
        hint={pictureTexts.pasteHint}
        onFiles={onFiles}
        onChoose={onChoose}
      />
    </>
  );
};
