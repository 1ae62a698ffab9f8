import type { PostDeleted, PostSaved, Publishing } from '@app/contract/blog';
import { messages } from '@app/contract/messages';
import { memo, type SubmitEvent, useRef, useState } from 'react';
import { Notice, type NoticeText } from '../forms/Notice.tsx';
import { callApi, unreachable } from '../http/call-api.ts';
import { pendingNote } from './pending-note.ts';

interface PostControlsProps {
  id: string;
  slug: string;
  published: boolean;
}

const Controls = ({ id, slug, published: wasPublished }: PostControlsProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const [published, setPublished] = useState(wasPublished);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<NoticeText | null>(null);

  const togglePublished = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    const reply = await callApi<PostSaved>('PATCH', `/api/posts/${id}`, { published: !published });
    setBusy(false);
    if (!reply.ok) {
      const description = reply.problem?.detail ?? unreachable;
      setOutcome({ tone: 'alarm', title: messages.blog.updateFailed, description });
      return;
    }
    const { post, publishing } = reply.value;
    setPublished(post.published);
    setOutcome(toggled(post.published, publishing));
  };

  const askToDelete = (event: SubmitEvent) => {
    event.preventDefault();
    dialog.current?.showModal();
  };

  const deletePost = async () => {
    dialog.current?.close();
    setBusy(true);
    const reply = await callApi<PostDeleted>('DELETE', `/api/posts/${id}`);
    if (reply.ok) {
      location.assign('/blog');
      return;
    }
    setBusy(false);
    const description = reply.problem?.detail ?? unreachable;
    setOutcome({ tone: 'alarm', title: messages.blog.deleteFailed, description });
  };

  return (
    <>
      <div className="flex flex-wrap gap-3">
        <a className="button button-quiet button-small" href={`/blog/editor/${slug}`}>
          Edit
        </a>
        <form action={`/api/posts/${id}`} method="post" onSubmit={togglePublished}>
          <input type="hidden" name="published" value={String(!published)} />
          <button className="button button-quiet button-small" type="submit" disabled={busy}>
            {published ? 'Unpublish' : 'Publish'}
          </button>
        </form>
        <form action={`/api/posts/${id}/delete`} method="post" onSubmit={askToDelete}>
          <button className="button button-alarm button-small" type="submit" disabled={busy}>
            Delete
          </button>
        </form>
      </div>
      <div className="outcome max-w-xl" aria-live="polite">
        {outcome && <Notice {...outcome} />}
      </div>
      <dialog ref={dialog} className="dialog" aria-labelledby="delete-heading">
        <h2 id="delete-heading" className="text-title">
          Delete this post?
        </h2>
        <p className="mt-2 text-soft">It is gone for good, and so is its address.</p>
        <div className="mt-6 flex flex-wrap justify-end gap-3">
          <button
            className="button button-quiet button-small"
            type="button"
            onClick={() => dialog.current?.close()}
          >
            Keep it
          </button>
          <button className="button button-alarm button-small" type="button" onClick={deletePost}>
            Delete post
          </button>
        </div>
      </dialog>
    </>
  );
};

/**
 * Edit, publish or unpublish, delete: below a post's title, for those who are signed in.
 * Being a memo component saves time on every post: Astro renders a plain function
 * once more only to find out whether it is React's.
 */
export const PostControls = memo(Controls);

const toggled = (published: boolean, publishing: Publishing): NoticeText => {
  const text = published ? messages.blog.published : messages.blog.unpublished;
  const pending = pendingNote(publishing);
  if (!pending) return { tone: 'good', ...text };
  return { tone: 'amber', title: text.title, description: pending };
};
