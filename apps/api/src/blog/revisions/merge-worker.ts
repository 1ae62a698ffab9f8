import { mergeTexts } from './merge-content.ts';

/** Runs in the worker thread of merge-thread.ts. */
export default mergeTexts;
