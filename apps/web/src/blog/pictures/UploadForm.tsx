import { imageField } from '@app/contract/images';
import { limits } from '@app/contract/limits';
import { pictureTexts } from '@app/site/blog/pictures';
import type { DragEvent } from 'react';
import { PicturePicker } from './PicturePicker.tsx';

interface UploadFormProps {
  isEnhanced: boolean;
  onFiles: (files: File[]) => void;
}

/** With JavaScript, uploads several pictures as soon as they are chosen or dropped here. */
export const UploadForm = ({ isEnhanced, onFiles }: UploadFormProps) => {
  if (isEnhanced) {
    const onDrop = (event: DragEvent) => {
      event.preventDefault();
      const files = [...event.dataTransfer.files];
      if (files.length > 0) onFiles(files);
    };
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: the picker does the same by keyboard
      <div onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
        <PicturePicker multiple hint={pictureTexts.dropHint} onFiles={onFiles} />
      </div>
    );
  }
  return (
    <form
      className="grid gap-4"
      action="/api/posts/pictures/upload"
      method="post"
      encType="multipart/form-data"
    >
      <PicturePicker multiple={false} name={imageField} />
      <div>
        <label className="font-semibold" htmlFor="picture-alt">
          {pictureTexts.alt}
        </label>
        <input
          className="input mt-1.5"
          id="picture-alt"
          name="alt"
          maxLength={limits.pictureAlt}
          dir="auto"
          aria-describedby="picture-alt-hint"
        />
        <p className="mt-2 text-sm text-muted-foreground" id="picture-alt-hint">
          {pictureTexts.altHint} {pictureTexts.altEmpty}
        </p>
      </div>
      <button className="button justify-self-start" type="submit">
        {pictureTexts.upload}
      </button>
    </form>
  );
};
