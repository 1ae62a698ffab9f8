import type { ContentPart } from '@app/contract/edit-conflict';
import { createAccountThread } from '../../server/account-thread.ts';
import { programFile } from '../../server/process-pool.ts';
import type { MergeTexts, Texts } from './merge-content.ts';

export const createMergeThread = (): MergeTexts =>
  createAccountThread<Texts, ContentPart[]>(programFile('merge-worker', import.meta));
