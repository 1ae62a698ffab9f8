import { blogMessages } from '@app/contract/blog/messages';
import type { PictureUse, UsedPicture } from '@app/contract/blog/pages';
import { markdownOfPicture } from '@app/contract/blog/picture-markdown';
import { pictureTexts } from '@app/site/blog/pictures';
import { useState } from 'react';
import { dateOf } from '../../components/dates.ts';
import { showToast } from '../../components/toast-after-redirect.ts';
import { useFocusFallback } from '../../components/use-focus-fallback.ts';
import { DeletePicture } from './DeletePicture.tsx';
import { DescribePicture } from './DescribePicture.tsx';
import { Thumbnail } from './Thumbnail.tsx';

interface LibraryPictureProps {
  picture: UsedPicture;
  /** Until the script is there. */
  disabled: boolean;
  /** Returns whether it was stored. */
  onDescribed: (alt: string) => Promise<boolean>;
  onDeleted: () => void;
}

export const LibraryPicture = ({
  picture,
  disabled,
  onDescribed,
  onDeleted,
}: LibraryPictureProps) => {
  const { id, path, width, height, alt, createdAt, uses } = picture;
  const [isEditing, setEditing] = useState(false);
  const fallback = useFocusFallback<HTMLLIElement>();
  const heading = `picture-${id}`;
  const markdown = markdownOfPicture(path, alt);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(markdown);
      showToast({ title: pictureTexts.copied });
    } catch (error) {
      showToast({ tone: 'danger', title: blogMessages.error, description: String(error) });
    }
  };

  return (
    <li ref={fallback} tabIndex={-1} className="panel flex min-w-0 flex-col overflow-hidden">
      <Thumbnail
        path={path}
        className="aspect-4/3 w-full"
        sizes="(min-width: 40rem) 20rem, calc(100vw - 2.5rem)"
      />
      <div className="flex flex-1 flex-col gap-3 p-4">
        {isEditing ? (
          <DescribePicture
            picture={picture}
            name={alt || pictureTexts.undescribed(dateOf(createdAt))}
            takesFocus
            onDone={async (description) => {
              if (await onDescribed(description.alt)) setEditing(false);
            }}
          />
        ) : (
          <h3
            id={heading}
            className={`text-base wrap-anywhere ${alt ? 'font-semibold' : 'font-sans font-normal tracking-normal text-muted-foreground'}`}
            dir="auto"
          >
            {alt || pictureTexts.decoration}
          </h3>
        )}
        <p className="text-sm text-muted-foreground">
          {pictureTexts.details(width, height, dateOf(createdAt))}
        </p>
        <Uses uses={uses} />
        <div className="mt-auto flex flex-wrap gap-2 pt-1">
          <button
            className="button button-outline button-sm"
            type="button"
            aria-describedby={heading}
            disabled={disabled}
            onClick={copy}
          >
            {pictureTexts.copy}
          </button>
          {!isEditing && (
            <button
              className="button button-outline button-sm"
              type="button"
              aria-describedby={heading}
              disabled={disabled}
              onClick={() => setEditing(true)}
            >
              {pictureTexts.edit}
            </button>
          )}
          {uses.length === 0 && (
            <DeletePicture
              id={id}
              describedBy={heading}
              disabled={disabled}
              onDeleted={onDeleted}
            />
          )}
        </div>
      </div>
    </li>
  );
};

const Uses = ({ uses }: { uses: readonly PictureUse[] }) =>
  uses.length === 0 ? (
    <p className="badge mt-0">{pictureTexts.unused}</p>
  ) : (
    <div className="text-sm">
      <p className="font-semibold">{pictureTexts.usedIn}</p>
      <ul className="mt-1 grid gap-1">
        {uses.map((use, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index} className="wrap-anywhere" dir="auto">
            <Use use={use} />
          </li>
        ))}
      </ul>
    </div>
  );

const Use = ({ use }: { use: PictureUse }) => {
  switch (use.in) {
    case 'post':
      return (
        <>
          <a className="link" href={`/blog/${use.slug}`}>
            {use.title}
          </a>
          {use.isOld && <span className="text-muted-foreground"> {pictureTexts.oldVersion}</span>}
        </>
      );
    case 'trash':
      return (
        <a className="link" href="/blog/trash">
          {pictureTexts.inTrash(use.title)}
        </a>
      );
    case 'unsaved':
      return (
        <a className="link" href={use.path}>
          {pictureTexts.inUnsaved(use.title)}
        </a>
      );
    case 'hidden':
      return pictureTexts.hidden;
  }
};
