import { contentProblems } from '@app/contract/blog/post-content';
import { limits } from '@app/contract/limits';
import { type RenderedMarkdown, renderMarkdown } from './markdown.ts';

export type RenderedBody = RenderedMarkdown | { problem: string };

function renderBody(content: string): RenderedBody {
  try {
    const body = renderMarkdown(content);
    const length = body.html.length + (body.outlineHtml?.length ?? 0);
    return length > limits.contentHtml ? { problem: contentProblems.tooLarge } : body;
  } catch (error) {
    // Stack overflow.
    if (error instanceof RangeError) return { problem: contentProblems.tooComplex };
    throw error;
  }
}

process.on('message', (contents: string[]) => process.send?.(contents.map(renderBody)));
process.on('disconnect', () => process.exit());
// A signal to the whole group: the server finishes its renders first, and then ends this.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.send?.('ready');
