import { pictureTexts } from '@app/site/blog/pictures';
import type { DragEvent } from 'react';
import { PicturePicker } from './PicturePicker.tsx';

interface UploadFormProps {
  /** Until the script is there. */
  disabled: boolean;
  onFiles: (files: File[]) => void;
}

/** Uploads pictures as soon as they are chosen or dropped here. */
export const UploadForm = ({ disabled, onFiles }: UploadFormProps) => {
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    const files = [...event.dataTransfer.files];
    if (files.length > 0) onFiles(files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the picker does the same by keyboard
    <div onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <PicturePicker disabled={disabled} hint={pictureTexts.dropHint} onFiles={onFiles} />
    </div>
  );
};
