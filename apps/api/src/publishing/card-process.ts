import { constants } from 'node:os';
import { pathToFileURL } from 'node:url';
import { processWork } from '../server/process-work.ts';
import type { CardTask } from './card-renderer.ts';

export default processWork(
  constants.priority.PRIORITY_LOW,
  async ({ module, title }: CardTask): Promise<Uint8Array> => {
    const { drawCard } = await import(pathToFileURL(module).href);
    return drawCard(title);
  },
);
