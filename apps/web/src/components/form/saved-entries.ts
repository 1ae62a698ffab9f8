import type { RenderedPages } from '@app/contract/pages';

/** The entries and errors of a rejected form that was sent without JavaScript. */
export type SavedEntries = Pick<RenderedPages['rejectedForm'], 'entries' | 'issues'>;
