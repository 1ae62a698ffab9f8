import { join } from 'node:path';
import type { PostPreviewed } from '@app/contract/blog/posts';
import { percentile } from '../support/percentile.ts';
import { SiteProcess } from '../support/site-process.ts';
import { ms, type Row } from './row.ts';
import { newPostBody, seed, writerHeaders } from './seed.ts';

const warmUp = 20;
/** For each size: all previews together are fewer than an account may request per minute. */
const previews = 120;

export async function measurePreviews(workFolder: string): Promise<Row[]> {
  const dataDir = join(workFolder, 'preview');
  seed(dataDir, 1_000);
  await using site = await SiteProcess.start({ dataDir });
  const rows: Row[] = [];
  for (const kilobytes of [2, 10, 100]) {
    const times: number[] = [];
    for (let n = 0; n < warmUp + previews; n += 1) {
      const began = performance.now();
      const response = await fetch(`${site.url}/api/posts/preview`, {
        method: 'POST',
        headers: writerHeaders(site.url),
        body: JSON.stringify({ title: 'A preview', content: contentOf(kilobytes, n) }),
      });
      const { html } = (await response.json()) as PostPreviewed;
      times.push(performance.now() - began);
      if (!html.includes(marked(n)))
        throw new Error('the preview does not show the text that was sent');
    }
    const measured = times.slice(warmUp);
    rows.push({
      what: `preview of a post of ${kilobytes} kB, p50 / p95`,
      measured: `${ms(percentile(measured, 50))} / ${ms(percentile(measured, 95))}`,
      aim: 'p95 ≤ 50 ms',
    });
  }
  await site.stop();
  return rows;
}

/** The text that differs from the previous preview. */
const marked = (n: number): string => `Preview number ${n}.`;

const contentOf = (kilobytes: number, n: number): string => {
  const { content } = newPostBody(0);
  const repeated = `${content}\n\n`.repeat(Math.ceil((1_000 * kilobytes) / content.length));
  return `${marked(n)}\n\n${repeated.slice(0, 1_000 * kilobytes)}`;
};
