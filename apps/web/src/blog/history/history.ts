import type { PostSaved } from '@app/contract/blog/posts';
import type { RevisionNamed } from '@app/contract/blog/revision-replies';
import { history } from '@app/site/blog/history';
import { queueToast, showToast } from '../../components/toast-after-redirect.ts';
import { callApi } from '../../http/call-api.ts';
import { elementOf } from '../element-of.ts';
import { showFailure } from '../post-controls.ts';
import { publishReportOf } from '../publish-report.ts';
import { whileBusy } from '../while-busy.ts';

/** Names and restores the revision that is shown. The reloaded page shows the result. */
export const enhanceHistory = (): void => {
  const section = elementOf(document, '#revision');

  section.addEventListener('submit', (event) => {
    event.preventDefault();
    void whileBusy(section, () => name(event.target as HTMLFormElement));
  });

  section.addEventListener('click', ({ target }) => {
    const { restore: path, base, post = '' } = (target as HTMLElement).dataset;
    if (path === undefined) return;
    void whileBusy(section, () => restore(path, Number(base), post));
  });

  for (const button of section.querySelectorAll('button')) button.disabled = false;
};

const name = async (form: HTMLFormElement): Promise<void> => {
  const body = { name: new FormData(form).get('name') };
  const reply = await callApi<RevisionNamed>('PATCH', form.dataset['name'] ?? '', body);
  if (!reply.ok) return showFailure(history.unnamed, reply.problem);
  queueToast({ title: history.named });
  location.reload();
};

const restore = async (path: string, baseVersion: number, postPath: string): Promise<void> => {
  const reply = await callApi<PostSaved>('POST', path, { baseVersion });
  if (!reply.ok) {
    if (reply.problem?.code === 'edit_conflict')
      showToast({ tone: 'warning', ...history.conflict });
    else showFailure(history.unrestored, reply.problem);
    return;
  }
  const { post, publishing } = reply.value;
  queueToast({
    title: history.restored,
    link: { href: postPath, label: history.openPost },
    ...publishReportOf(post, publishing),
  });
  location.reload();
};
