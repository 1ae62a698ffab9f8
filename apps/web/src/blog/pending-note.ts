import type { Publishing } from '@app/contract/blog/posts';

/** For a change that is stored but not yet published; null when nothing is pending. */
export const pendingNote = (publishing: Publishing): string | null => {
  if (publishing.state === 'draft') return null;
  if (publishing.state === 'pending') {
    return `The public page follows as soon as it can. ${publishing.reason}`;
  }
  const [first] = publishing.pending ?? [];
  return first
    ? `Pages that list it follow as soon as they can. ${first.path} ${first.reason}`
    : null;
};
