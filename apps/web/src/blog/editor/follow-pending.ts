import { publishReport } from '@app/site/blog/publish-report';
import { whenSettled } from '../../components/when-settled.ts';
import { elementOf } from '../element-of.ts';

/** Updates the notice about pending pages when they are up to date. */
export const followPending = async (): Promise<void> => {
  const notice = elementOf(document, '[data-pending]');
  const path = notice.dataset['pending'] ?? '';
  const state = await whenSettled(path, () => notice.isConnected);
  if (state === null) return;
  const { title, description } =
    state === 'live' ? publishReport.nowLive : publishReport.nowRemoved;
  notice.classList.remove('notice-warning');
  elementOf(notice, 'p').textContent = title;
  elementOf(notice, 'p + p').textContent = description;
};
