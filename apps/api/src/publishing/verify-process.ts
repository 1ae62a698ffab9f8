import { constants } from 'node:os';
import { processWork } from '../server/process-work.ts';
import { type ExpectedFile, isIntact } from './verify-files.ts';

export default processWork(
  constants.priority.PRIORITY_LOW,
  async (files: readonly ExpectedFile[]): Promise<string[]> =>
    files.filter((file) => !isIntact(file)).map(({ file }) => file),
);
