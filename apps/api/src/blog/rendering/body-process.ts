import { contentProblems } from '@app/contract/blog/post-content';
import { limits } from '@app/contract/limits';
import { endBeforeServer } from '../../server/process-work.ts';
import { type RenderedMarkdown, renderMarkdown } from './markdown.ts';
import { searchTextOf } from './search-text.ts';

/** Includes the text for the search. */
export type RenderedPost = RenderedMarkdown & { text: string };

export type RenderedBody = RenderedPost | { problem: string };

function renderBody(content: string): RenderedBody {
  try {
    const body = renderMarkdown(content);
    const length = body.html.length + (body.outlineHtml?.length ?? 0);
    if (length > limits.contentHtml) return { problem: contentProblems.tooLarge };
    return { ...body, text: searchTextOf(body.html) };
  } catch (error) {
    // Stack overflow.
    if (error instanceof RangeError) return { problem: contentProblems.tooComplex };
    throw error;
  }
}

endBeforeServer();
process.on('message', (contents: string[]) => process.send?.(contents.map(renderBody)));
process.on('disconnect', () => process.exit());
// Ignores signals to the process group: the server finishes its renders, then ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.send?.('ready');
