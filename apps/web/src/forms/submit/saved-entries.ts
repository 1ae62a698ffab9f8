import type { RenderedPages } from '@app/contract/pages';

/** A form that was sent without scripts and refused: what was typed, and what is wrong with it. */
export type SavedEntries = Pick<RenderedPages['formAgain'], 'entries' | 'issues'>;
