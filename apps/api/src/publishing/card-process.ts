// Child process that renders social cards, see card-renderer.ts. Its argument is the build's module
// that exports `drawCard`.
import { pathToFileURL } from 'node:url';
import type { CardReply } from './card-renderer.ts';

type CardModule = Promise<{ drawCard(title: string): Promise<Uint8Array> }>;

// Ctrl-C signals the whole process group; the server ends this process itself.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());

const cardModule: CardModule = import(pathToFileURL(process.argv[2] ?? '').href);

async function render(title: string): Promise<CardReply> {
  try {
    const { drawCard } = await cardModule;
    return { png: await drawCard(title) };
  } catch (error) {
    return { error: String(error) };
  }
}

process.on('message', async (title: string) => {
  process.send?.(await render(title));
});
