import type { Publishing } from '@app/contract/blog';

/** What to tell an author whose change is stored but not yet what readers see. */
export const pendingNote = (publishing: Publishing): string | null =>
  publishing.state === 'pending'
    ? `The public page follows as soon as it can. ${publishing.reason}`
    : null;
