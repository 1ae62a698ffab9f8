import { blogMessages } from '@app/contract/blog/messages';
import type { UsedPicture } from '@app/contract/blog/pages';
import type { Picture } from '@app/contract/blog/picture-replies';
import { limits } from '@app/contract/limits';
import type { RenderedPages } from '@app/contract/pages';
import { pictureTexts } from '@app/site/blog/pictures';
import { useEffect, useRef, useState } from 'react';
import { showToast } from '../../components/toast-after-redirect.ts';
import { useFocusFallback } from '../../components/use-focus-fallback.ts';
import { DescribePicture } from './DescribePicture.tsx';
import { LibraryPicture } from './LibraryPicture.tsx';
import { storeAlt } from './store-alt.ts';
import { UploadForm } from './UploadForm.tsx';
import { UploadList } from './UploadList.tsx';
import { newUploadId } from './upload-id.ts';
import { useUploadQueue } from './use-upload-queue.ts';

const path = '/blog/pictures';

export const PictureLibrary = ({
  pictures: given,
  query,
  isOlder,
  nextCursor,
}: RenderedPages['pictures']) => {
  const [pictures, setPictures] = useState<readonly UsedPicture[]>(given);
  const [isHydrated, setHydrated] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const fallback = useFocusFallback<HTMLDivElement>();
  useEffect(() => setHydrated(true), []);

  const { queue, uploads, announcement, announce } = useUploadQueue({
    onStored({ name }, picture) {
      setPictures((all) => [{ ...picture, uses: [] }, ...all]);
      return pictureTexts.says.stored(name);
    },
  });
  const add = (files: File[]) => {
    queue.add(files.map((file) => ({ id: newUploadId(), file })));
    announce(pictureTexts.says.started(files.length));
  };
  const changeAlt = async (picture: Picture, alt: string) => {
    const stored = await storeAlt(picture, alt);
    if (!stored) return false;
    setPictures((all) =>
      all.map((one) => (one.id === stored.id ? { ...one, alt: stored.alt } : one)),
    );
    return true;
  };
  const onDeleted = ({ id }: Picture) => {
    setPictures((all) => all.filter((one) => one.id !== id));
    for (const upload of uploads) if (upload.picture?.id === id) queue.remove(upload.id);
    showToast({ title: blogMessages.pictures.deleted });
    heading.current?.focus();
  };

  return (
    <>
      <div className="panel mt-8 p-5 sm:p-6">
        <UploadForm disabled={!isHydrated} onFiles={add} />
        <p className="sr-only" role="status">
          {announcement}
        </p>
        <div ref={fallback} tabIndex={-1} className="not-empty:mt-4">
          <UploadList
            uploads={uploads}
            queue={queue}
            onRemove={({ name }) => announce(pictureTexts.says.canceled(name))}
            renderStored={({ id, name }, picture) => (
              <DescribePicture
                picture={picture}
                name={name}
                onDone={async ({ alt }) => {
                  if (await changeAlt(picture, alt)) queue.remove(id);
                }}
              />
            )}
          />
        </div>
      </div>
      <div className="mt-12 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <h2 ref={heading} className="text-title" tabIndex={-1}>
          {pictureTexts.library}
        </h2>
        {(pictures.length > 0 || query !== '') && (
          <form className="flex w-full max-w-md flex-wrap gap-3" action={path}>
            <div className="min-w-0 flex-1 basis-48">
              <label className="text-sm font-semibold" htmlFor="picture-search">
                {pictureTexts.search}
              </label>
              <input
                className="input mt-1 min-h-11 py-1.5"
                id="picture-search"
                type="search"
                name="q"
                defaultValue={query}
                maxLength={limits.pictureSearch}
                autoComplete="off"
                dir="auto"
              />
            </div>
            <button className="button button-outline button-sm self-end" type="submit">
              {pictureTexts.submitSearch}
            </button>
          </form>
        )}
      </div>
      {pictures.length > 0 ? (
        <ul className="mt-6 grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-6">
          {pictures.map((picture) => (
            <LibraryPicture
              key={picture.id}
              picture={picture}
              disabled={!isHydrated}
              onDescribed={(alt) => changeAlt(picture, alt)}
              onDeleted={() => onDeleted(picture)}
            />
          ))}
        </ul>
      ) : (
        <div className="panel mt-6 px-6 py-16 text-center">
          <h3 className="text-title wrap-anywhere">
            {query === '' ? pictureTexts.empty.title : pictureTexts.noMatch(query)}
          </h3>
          <p className="mt-2 text-muted-foreground">
            {query === '' ? pictureTexts.empty.text : pictureTexts.noMatchText}
          </p>
        </div>
      )}
      {(isOlder || query !== '' || nextCursor !== null) && (
        <p className="mt-8 flex flex-wrap gap-3">
          {(isOlder || query !== '') && (
            <a className="button button-outline button-sm" href={path}>
              {query === '' ? pictureTexts.newest : pictureTexts.clearSearch}
            </a>
          )}
          {nextCursor !== null && (
            <a
              className="button button-outline button-sm"
              href={`${path}?${new URLSearchParams({ ...(query !== '' && { q: query }), cursor: nextCursor })}`}
            >
              {pictureTexts.older}
            </a>
          )}
        </p>
      )}
    </>
  );
};
