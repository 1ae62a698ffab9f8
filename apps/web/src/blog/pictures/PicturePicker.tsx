import { pictureTexts } from '@app/site/blog/pictures';
import { type ChangeEvent, type RefObject, useId } from 'react';

interface PicturePickerProps {
  ref?: RefObject<HTMLInputElement | null>;
  multiple?: boolean;
  disabled?: boolean;
  hint: string;
  onFiles: (files: File[]) => void;
}

export const PicturePicker = ({
  ref,
  multiple = true,
  disabled = false,
  hint,
  onFiles,
}: PicturePickerProps) => {
  const id = useId();
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])];
    // Allows the user to choose the same file again.
    target.value = '';
    if (files.length > 0) onFiles(files);
  };
  return (
    <div>
      <label className="font-semibold" htmlFor={id}>
        {pictureTexts.files}
      </label>
      <input
        ref={ref}
        className="input mt-1.5 p-1.5 text-[0.9375rem] file:mr-3 file:min-h-8.5 file:rounded-md file:border file:border-input file:bg-muted file:px-3.5 file:py-1 file:font-semibold file:text-foreground"
        id={id}
        type="file"
        accept="image/*"
        multiple={multiple}
        disabled={disabled}
        aria-describedby={`${id}-hint`}
        onChange={onChange}
      />
      <p className="mt-2 text-sm text-muted-foreground" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
};
