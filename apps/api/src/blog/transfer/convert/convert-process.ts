import { processWork } from '../../../server/process-work.ts';
import { convertText } from './convert-text.ts';

/** A third of the server's share of a processor. */
const priority = 5;

export default processWork(priority, async (task: Parameters<typeof convertText>[0]) =>
  convertText(task),
);
