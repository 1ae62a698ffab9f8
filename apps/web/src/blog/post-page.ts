import { queueToast } from '../components/toast-after-redirect.ts';
import { disableOthersControls } from './disable-controls.ts';
import { showLocalTimes } from './editor/local-times.ts';
import { elementOf } from './element-of.ts';
import { deletedToast, enhancePostControls, showStatus } from './post-controls.ts';
import { explainWhenSignedOut } from './signed-out.ts';

export const enhancePostPage = (): void => {
  showLocalTimes(document);
  const controls = document.querySelector<HTMLElement>('.post-controls');
  if (controls) {
    void disableOthersControls(controls, controls.dataset['author'] ?? '');
    const status = elementOf(document, 'article .post-status');
    const scheduledAt = status.querySelector('time')?.dateTime;
    if (scheduledAt !== undefined) showStatus(status, { published: false, scheduledAt });
    enhancePostControls(controls, {
      onChanged: (post) => showStatus(status, post),
      onDeleted: (publishing) => {
        queueToast(deletedToast(controls.dataset['post'] ?? '', publishing));
        location.assign('/blog');
      },
    });
  }
  void explainWhenSignedOut();
};
