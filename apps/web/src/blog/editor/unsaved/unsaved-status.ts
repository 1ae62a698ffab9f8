import { accountMessages } from '@app/contract/accounts/messages';
import { unsaved } from '@app/site/blog/unsaved';
import type { Reason, TextLocation } from '../../../unsaved/draft-sync.ts';
import type { EditorStatus } from '../StatusLine.tsx';

const { status: words } = unsaved;

const sentence = (why: Reason): string => {
  switch (why) {
    case 'offline':
      return words.offline;
    case 'unreachable':
      return words.unreachable;
    case 'signed-out':
      return words.signedOut;
    case 'newer-text':
      return words.newerText;
    default:
      return why.detail;
  }
};

/**
 * @param settled the last status while nothing was being typed, which is not announced again
 * @param isNew whether it is a new post, of which nothing is saved
 */
export const unsavedStatus = (
  where: TextLocation,
  settled: EditorStatus | null,
  isNew: boolean,
): EditorStatus | null => {
  const status = statusOf(where, isNew);
  const isKnown = status?.title === settled?.title && status?.detail === settled?.detail;
  return status && { ...status, isQuiet: status.isBusy || isKnown };
};

const statusOf = (where: TextLocation, isNew: boolean): EditorStatus | null => {
  switch (where.at) {
    case 'post':
      return isNew ? null : { title: words.saved };
    case 'server':
      return { title: words.server, detail: words.finish };
    case 'typing':
      return { title: words.typing, isBusy: true };
    default: {
      const isOnDevice = where.at === 'device';
      const detail = sentence(where.why);
      return {
        title: isOnDevice ? words.device : words.page,
        detail: isOnDevice ? detail : `${detail} ${words.noStorage}`,
        isWarning: true,
        ...(where.why === 'signed-out' && {
          link: { href: '/auth', label: accountMessages.signedOut.link },
        }),
      };
    }
  }
};
