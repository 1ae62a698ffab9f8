// The process that draws cards, see card-drawing.ts. Its argument is the module of the
// build that knows how.
import { pathToFileURL } from 'node:url';
import type { CardReply } from './card-renderer.ts';

type Drawing = Promise<{ drawCard(title: string): Promise<Uint8Array> }>;

// A signal to the whole group: the server tells it when to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());

const drawing: Drawing = import(pathToFileURL(process.argv[2] ?? '').href);

async function draw(title: string): Promise<CardReply> {
  try {
    const { drawCard } = await drawing;
    return { png: await drawCard(title) };
  } catch (error) {
    return { error: String(error) };
  }
}

process.on('message', async (title: string) => {
  process.send?.(await draw(title));
});
