import { mergeTexts } from './merge-content.ts';

/** Runs in the thread of merge-thread.ts. */
export default mergeTexts;
