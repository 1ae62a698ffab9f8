import type { Picture } from '@app/contract/blog/picture-replies';
import { pictureTexts } from '@app/site/blog/pictures';
import type { ReactNode } from 'react';
import { Thumbnail } from './Thumbnail.tsx';
import type { Upload, UploadQueue } from './upload-queue.ts';

interface UploadListProps {
  uploads: readonly Upload[];
  queue: UploadQueue;
  onRetry?: (upload: Upload) => void;
  onRemove?: (upload: Upload) => void;
  renderStored: (upload: Upload, picture: Picture) => ReactNode;
}

export const UploadList = ({
  uploads,
  queue,
  onRetry,
  onRemove,
  renderStored,
}: UploadListProps) => {
  if (uploads.length === 0) return null;
  const retry = (upload: Upload) => {
    onRetry?.(upload);
    queue.retry(upload.id);
  };
  const remove = (upload: Upload) => {
    queue.remove(upload.id);
    onRemove?.(upload);
  };
  return (
    <ul className="divide-y divide-border" aria-label={pictureTexts.uploads}>
      {uploads.map((upload) => (
        <li key={upload.id} className="flex flex-wrap items-start gap-x-4 gap-y-3 py-3">
          {upload.state === 'stored' && upload.picture ? (
            <>
              <Thumbnail
                path={upload.picture.path}
                className="size-20 rounded-control border border-border"
                sizes="5rem"
              />
              <div className="min-w-0 flex-1 basis-56">{renderStored(upload, upload.picture)}</div>
            </>
          ) : (
            <UnsentRow
              upload={upload}
              onRetry={() => retry(upload)}
              onRemove={() => remove(upload)}
            />
          )}
        </li>
      ))}
    </ul>
  );
};

interface UnsentRowProps {
  upload: Upload;
  onRetry: () => void;
  onRemove: () => void;
}

const UnsentRow = ({ upload, onRetry, onRemove }: UnsentRowProps) => {
  const { name, state, sent, problem, canRetry } = upload;
  const isFailed = state === 'failed';
  return (
    <>
      <div className="min-w-0 flex-1 basis-48">
        <p className="text-sm font-semibold wrap-anywhere">{name}</p>
        {isFailed ? (
          <p className="mt-1 text-sm font-medium text-danger">{problem}</p>
        ) : (
          <>
            <progress
              className="mt-2 block h-2 w-full appearance-none overflow-hidden rounded-full bg-border motion-safe:indeterminate:animate-pulse indeterminate:bg-primary [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-primary"
              value={state === 'sending' && sent === 1 ? undefined : sent}
              max={1}
              aria-label={pictureTexts.progress(name)}
            />
            <p className="mt-1 text-sm text-muted-foreground">{uploadStatus(upload)}</p>
          </>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        {isFailed && canRetry && (
          <button
            className="button button-outline button-sm"
            type="button"
            aria-label={pictureTexts.retryOf(name)}
            onClick={onRetry}
          >
            {pictureTexts.retry}
          </button>
        )}
        <button
          className="button button-outline button-sm"
          type="button"
          aria-label={isFailed ? pictureTexts.removeOf(name) : pictureTexts.cancelOf(name)}
          onClick={onRemove}
        >
          {isFailed ? pictureTexts.remove : pictureTexts.cancel}
        </button>
      </div>
    </>
  );
};

const uploadStatus = ({ state, sent }: Upload): string => {
  if (state === 'waiting') return pictureTexts.waiting;
  return sent < 1 ? pictureTexts.sent(sent) : pictureTexts.processing;
};
