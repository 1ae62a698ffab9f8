import type { DraftSync } from './draft-sync.ts';

/** Of this page. */
export const openEditors = new Set<DraftSync>();
