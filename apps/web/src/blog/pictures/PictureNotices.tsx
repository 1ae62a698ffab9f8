import { blogMessages } from '@app/contract/blog/messages';
import { imageMessages, refusalMessages } from '@app/contract/images';
import { pictureTexts } from '@app/site/blog/pictures';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { TargetNotices } from '../../components/form/TargetNotices.tsx';

const { uploaded, deleted, uploadFailed, deleteFailed, inUse } = blogMessages.pictures;

const failed = (description: string): NoticeText => ({
  tone: 'danger',
  title: uploadFailed,
  description,
});

/** Keyed by the URL fragment to which the API redirects. */
const targets: Record<string, NoticeText> = {
  uploaded: { tone: 'success', title: uploaded },
  deleted: { tone: 'success', title: deleted },
  'in-use': { tone: 'danger', title: deleteFailed, description: inUse },
  'too-large': failed(imageMessages.tooLarge),
  'alt-too-long': failed(pictureTexts.altTooLong),
  ...Object.fromEntries(
    Object.entries(refusalMessages).map(([target, message]) => [target, failed(message)]),
  ),
  failed: { tone: 'danger', ...pictureTexts.failed },
};

/** The result of a form that was posted without JavaScript. */
export const PictureNotices = ({ areOutdated }: { areOutdated: boolean }) => (
  <div className="*:mt-8">
    <TargetNotices submitted={areOutdated} targets={targets} />
  </div>
);
