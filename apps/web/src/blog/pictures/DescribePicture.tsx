import type { Picture } from '@app/contract/blog/picture-replies';
import { limits } from '@app/contract/limits';
import { pictureTexts } from '@app/site/blog/pictures';
import { labels } from '@app/site/forms/labels';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { isSaveKey } from '../is-save-key.ts';

export interface Description {
  alt: string;
  caption: string;
}

interface DescribePictureProps {
  picture: Picture;
  /** The name of the picture, for screen readers. */
  name: string;
  hasCaption?: boolean;
  /** Whether to focus the first field, because the writer has opened this. */
  takesFocus?: boolean;
  /** Called when changed fields lose the focus, or the writer presses the save key. */
  onChange?: (description: Description) => void;
  onDone: (description: Description) => void;
}

/**
 * Asks for alternative text. It can be inside a form, so it is not a form and its fields are
 * unnamed.
 */
export const DescribePicture = ({
  picture,
  name,
  hasCaption = false,
  takesFocus = false,
  onChange,
  onDone,
}: DescribePictureProps) => {
  const id = useId();
  const [alt, setAlt] = useState(picture.alt);
  const [caption, setCaption] = useState('');
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);

  const description = { alt: alt.trim(), caption: caption.trim() };
  const reported = useRef<Description>({ alt: picture.alt, caption: '' });
  const report = () => {
    const { alt: lastAlt, caption: lastCaption } = reported.current;
    if (description.alt === lastAlt && description.caption === lastCaption) return;
    reported.current = description;
    onChange?.(description);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isSaveKey(event)) report();
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // Enter would submit the surrounding form.
    event.preventDefault();
    onDone(description);
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) report();
  };
  const attributes = {
    className: 'input min-h-11 py-1.5',
    dir: 'auto',
    maxLength: limits.pictureAlt,
    onKeyDown,
  } as const;

  return (
    <fieldset
      className={`grid items-start gap-3 ${hasCaption ? 'sm:grid-cols-2' : ''}`}
      aria-label={name}
      onBlur={onBlur}
    >
      <div>
        <label className="mb-1 block text-sm font-semibold" htmlFor={`${id}-alt`}>
          {pictureTexts.alt}
        </label>
        <input
          {...attributes}
          ref={field}
          id={`${id}-alt`}
          // Not `value`: React would update the default value, too, with which
          // head/signed-out-script.ts detects typed text.
          defaultValue={picture.alt}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => setAlt(target.value)}
        />
        <p className="mt-1 text-sm text-muted-foreground" id={`${id}-hint`}>
          {description.alt === '' ? pictureTexts.altEmpty : pictureTexts.altHint}
        </p>
      </div>
      {hasCaption && (
        <div>
          <label className="mb-1 block text-sm font-semibold" htmlFor={`${id}-caption`}>
            {pictureTexts.caption}{' '}
            <span className="font-normal text-muted-foreground">{labels.optional}</span>
          </label>
          <input
            {...attributes}
            id={`${id}-caption`}
            defaultValue=""
            onChange={({ target }) => setCaption(target.value)}
          />
        </div>
      )}
      <button
        className="button button-outline button-sm justify-self-start"
        type="button"
        aria-label={pictureTexts.doneOf(name)}
        onClick={() => onDone(description)}
      >
        {pictureTexts.done}
      </button>
    </fieldset>
  );
};
