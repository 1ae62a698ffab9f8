import { messages } from '@app/contract/messages';
import { queueToast } from '../components/toast-after-redirect.ts';
import { elementOf } from './element-of.ts';
import { enhancePostControls } from './post-controls.ts';
import { explainWhenSignedOut } from './signed-out.ts';

export const enhancePostPage = (): void => {
  const controls = document.querySelector<HTMLElement>('.post-controls');
  if (controls) {
    enhancePostControls(controls, {
      onToggled: (published) => {
        elementOf(document, 'article .badge').hidden = published;
      },
      onDeleted: () => {
        queueToast({ title: messages.blog.deleted });
        location.assign('/blog');
      },
    });
  }
  void explainWhenSignedOut();
};
