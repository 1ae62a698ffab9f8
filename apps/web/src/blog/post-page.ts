import { queueToast } from '../components/toast-after-redirect.ts';
import { elementOf } from './element-of.ts';
import { deletedToast, enhancePostControls, showStatus } from './post-controls.ts';
import { explainWhenSignedOut } from './signed-out.ts';

export const enhancePostPage = (): void => {
  const controls = document.querySelector<HTMLElement>('.post-controls');
  if (controls) {
    const badge = elementOf(document, 'article .badge');
    const scheduledAt = badge.querySelector('time')?.dateTime;
    if (scheduledAt !== undefined) showStatus(badge, { published: false, scheduledAt });
    enhancePostControls(controls, {
      onChanged: (post) => showStatus(badge, post),
      onDeleted: (publishing) => {
        queueToast(deletedToast(controls, publishing));
        location.assign('/blog');
      },
    });
  }
  void explainWhenSignedOut();
};
