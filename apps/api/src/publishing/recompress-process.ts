import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { processWork } from '../server/process-work.ts';
import { compress } from './compression.ts';

export default processWork(constants.priority.PRIORITY_LOW, async (file: string) =>
  compress(readFileSync(file), 'best'),
);
