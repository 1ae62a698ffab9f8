import type { DraftSync } from './draft-sync.ts';

/** The editors on this page. */
export const openEditors = new Set<DraftSync>();
