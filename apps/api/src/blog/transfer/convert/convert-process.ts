import { processWork } from '../../../server/process-work.ts';
import { convertText } from './convert-text.ts';

/** Niceness: a third of the server's share of a CPU. */
const priority = 5;

export default processWork(priority, async (task: Parameters<typeof convertText>[0]) =>
  convertText(task),
);
