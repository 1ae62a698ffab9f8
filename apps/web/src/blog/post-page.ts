import { queueToast } from '../components/toast-after-redirect.ts';
import { elementOf } from './element-of.ts';
import { deletedToast, enhancePostControls, showStatus } from './post-controls.ts';
import { explainWhenSignedOut } from './signed-out.ts';

export const enhancePostPage = (): void => {
  const controls = document.querySelector<HTMLElement>('.post-controls');
  if (controls) {
    const status = elementOf(document, 'article .post-status');
    const scheduledAt = status.querySelector('time')?.dateTime;
    if (scheduledAt !== undefined) showStatus(status, { published: false, scheduledAt });
    enhancePostControls(controls, {
      onChanged: (post) => showStatus(status, post),
      onDeleted: (publishing) => {
        queueToast(deletedToast(controls, publishing));
        location.assign('/blog');
      },
    });
  }
  void explainWhenSignedOut();
};
