import { blogMessages } from '@app/contract/blog/messages';
import type { Picture } from '@app/contract/blog/picture-replies';
import { limits } from '@app/contract/limits';
import { pictureTexts } from '@app/site/blog/pictures';
import { labels } from '@app/site/forms/labels';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { dateOf } from '../../../components/dates.ts';
import { useDialog } from '../../../components/use-dialog.ts';
import { PicturePicker } from '../../pictures/PicturePicker.tsx';
import { Thumbnail } from '../../pictures/Thumbnail.tsx';
import { useLibrary } from './use-library.ts';

export interface PictureDialogHandle {
  open: () => void;
  close: () => void;
}

interface PictureDialogProps {
  ref: RefObject<PictureDialogHandle | null>;
  heading: string;
  multiple: boolean;
  hint: string;
  onFiles: (files: File[]) => void;
  onChoose: (picture: Picture) => void;
  onClose?: () => void;
  children?: ReactNode;
}

/** Uploads pictures, or lets the user choose from earlier ones. */
export const PictureDialog = ({
  ref,
  heading,
  multiple,
  hint,
  onFiles,
  onChoose,
  onClose,
  children,
}: PictureDialogProps) => {
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  const { isOpen, open, close, closer, attributes } = useDialog({
    onClose() {
      setQuery('');
      onClose?.();
    },
  });
  const { library, loadMore } = useLibrary(isOpen, query.trim());

  useImperativeHandle(ref, () => ({
    open() {
      open();
      // By default, the first control would be focused, which closes the dialog (ARIA Authoring
      // Practices, Dialog).
      picker.current?.focus();
    },
    close,
  }));

  // Enter would submit the form around the dialog.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') event.preventDefault();
  };

  return (
    <dialog
      {...attributes}
      className="dialog max-h-[calc(100dvh-2rem)] w-[min(100%-2rem,52rem)] max-w-none overflow-y-auto overscroll-contain p-5 sm:p-8"
      aria-labelledby={`${id}-heading`}
    >
      <div className="flex items-start justify-between gap-4">
        <h2 className="text-title" id={`${id}-heading`}>
          {heading}
        </h2>
        <button className="button button-outline button-sm" {...closer}>
          {labels.close}
        </button>
      </div>
      <div className="mt-5">
        <PicturePicker ref={picker} multiple={multiple} hint={hint} onFiles={onFiles} />
      </div>
      {children}
      <div className="mt-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-3 border-t border-border pt-6">
        <h3 className="text-lg font-semibold">{pictureTexts.library}</h3>
        {/* A new tab, so that the text is not lost. */}
        <a className="link py-2.5" href="/blog/pictures" target="_blank" rel="noopener">
          {pictureTexts.manage}
        </a>
      </div>
      <div className="mt-3">
        <label className="text-sm font-semibold" htmlFor={`${id}-search`}>
          {pictureTexts.search}
        </label>
        <input
          className="input mt-1 min-h-11 py-1.5"
          id={`${id}-search`}
          type="search"
          value={query}
          maxLength={limits.pictureSearch}
          autoComplete="off"
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      {library.pictures.length > 0 && (
        <ul
          className="mt-4 grid grid-cols-2 gap-3 sm:grid-cols-4"
          aria-busy={library.state === 'loading'}
        >
          {library.pictures.map((picture) => (
            <li key={picture.id} className="min-w-0">
              <button
                className="flex h-full w-full flex-col overflow-hidden rounded-control border border-border text-start hover:border-foreground"
                type="button"
                onClick={() => onChoose(picture)}
              >
                <Thumbnail
                  path={picture.path}
                  className="aspect-4/3 w-full"
                  sizes="(min-width: 40rem) 12rem, 45vw"
                />
                <span className="block px-2.5 py-2">
                  <span className="line-clamp-2 text-sm wrap-anywhere" dir="auto">
                    {picture.alt || pictureTexts.undescribed(dateOf(picture.createdAt))}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-4" aria-live="polite">
        {library.state === 'loading' && (
          <p className="text-muted-foreground">{pictureTexts.loading}</p>
        )}
        {library.state === 'failed' && (
          <p className="font-medium text-danger">{blogMessages.pictures.listFailed}</p>
        )}
        {library.state === 'ready' && library.pictures.length === 0 && (
          <p className="text-muted-foreground">
            {query.trim() === '' ? pictureTexts.empty.text : pictureTexts.noMatch(query.trim())}
          </p>
        )}
      </div>
      {(library.state === 'failed' || library.nextCursor !== null) && (
        <button
          className="button button-outline button-sm mt-4"
          type="button"
          disabled={library.state === 'loading'}
          onClick={loadMore}
        >
          {library.state === 'failed' ? blogMessages.tryAgain : pictureTexts.more}
        </button>
      )}
    </dialog>
  );
};
