import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { SiteProcess, temporaryFolder } from '../../support/site-process.ts';
import {
  type Crowd,
  halfClosed,
  idle,
  pipeline,
  slowBodies,
  slowHeaders,
  stalledReaders,
  stillOpen,
} from '../connections/crowd.ts';
import type { Fault, Findings } from '../fault.ts';
import type { ReaderResult, ReaderTask } from '../hostile/reader.ts';

const idleConnections = 2_000;
const others = 200;
/** The server's limit per connection. */
const pipelinedRequests = 16;

/** In MB. Most of it is garbage: with a heap of 110 MB, memory grows only by 70. */
const maxGrowth = 300;
/** For handles of readers and files. */
const slack = 30;
/** In milliseconds. Checked only in a long run, on a quiet machine. */
const maxRead = 1_000;
/** In seconds, after which the server has closed all connections. Node closes slow requests at 90. */
const closedAfter = 150;

export const connections: Fault = {
  name: 'connections',
  about:
    '2,000 idle connections, and slow, stalled, half-closed and pipelined ones, while readers read',
  unit: 'seconds',
  amount: 160,
  min: 3,
  async run(seconds, findings) {
    using folder = temporaryFolder();
    await using site = await SiteProcess.start({ dataDir: folder.path });
    reportLimit(findings);
    const [memory, handles] = [site.memory().now, handlesOf(site)];
    const paths = ['/', '/blog', '/contact', '/favicon.ico', '/api/posts'];
    const task: ReaderTask = { url: site.url, paths, readers: 4, pauseMilliseconds: 50 };
    const readers = new Worker(new URL('../hostile/reader.ts', import.meta.url), {
      workerData: task,
    });
    const began = performance.now();
    const { port } = site;
    const crowds = [
      await idle(port, idleConnections).then((crowd) => {
        findings.set('MB of growth with idle connections', site.memory().now - memory);
        return crowd;
      }),
      await slowHeaders(port, others),
      await slowBodies(port, others),
      await stalledReaders(port, others, '/blog/rss.xml'),
    ];
    await askHonestly(site, findings);
    await watch(crowds, began + seconds * 1_000, findings);

    readers.postMessage('stop');
    const [{ reads }] = (await once(readers, 'message')) as [ReaderResult];
    findings.set('reads', reads.count);
    findings.set('milliseconds of the slowest read', Math.round(reads.max));
    for (const [status, count] of Object.entries(reads.statuses)) {
      if (status !== '200') findings.breaks(`${count} reads were answered with ${status}`);
    }
    const growth = site.memory().peak - memory;
    findings.set('MB of growth at the peak', growth);
    if (growth > maxGrowth) findings.breaks(`memory grew by ${growth} MB`);
    if (seconds >= closedAfter) {
      if (reads.max > maxRead) findings.breaks(`a read took ${reads.max.toFixed(0)} ms`);
      // Stalled readers do not notice that the server has closed them.
      const left = handlesOf(site) - handles;
      if (left > slack) findings.breaks(`${left} connections are open after ${seconds} s`);
    }
    for (const { sockets } of crowds) for (const socket of sockets) socket.destroy();
    await closed(site, handles, findings);
    const { code, stderr } = await site.stop();
    if (code !== 0 || stderr !== '') findings.breaks(`the server ended with ${code}: ${stderr}`);
  },
};

/** Node raises its soft limit to the hard limit by itself. */
function reportLimit(findings: Findings): void {
  const limit = /^Max open files\s+\d+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
  findings.progress(`at most ${limit?.[1]} open files (ulimit -Hn)`);
}

const handlesOf = ({ pid }: SiteProcess): number => readdirSync(`/proc/${pid}/fd`).length;

async function askHonestly({ port, url }: SiteProcess, findings: Findings): Promise<void> {
  for (const path of ['/', '/api/posts']) {
    const answered = await pipeline(port, path, pipelinedRequests);
    findings.count('pipelined requests', pipelinedRequests);
    if (answered < pipelinedRequests) {
      findings.breaks(`${answered} of ${pipelinedRequests} pipelined ${path} were answered`);
    }
    findings.count('half-closed requests');
    if (!(await halfClosed(port, path))) findings.breaks(`a half-closed ${path} was not answered`);
  }
  const message = { name: 'Vera', email: 'vera@example.com', message: 'In between.' };
  const response = await fetch(`${url}/api/contact`, {
    method: 'POST',
    headers: { Origin: url, 'Content-Type': 'application/json' },
    body: JSON.stringify(message),
  });
  if (response.status !== 201) findings.breaks(`a message was answered with ${response.status}`);
}

async function watch(crowds: readonly Crowd[], end: number, findings: Findings): Promise<void> {
  for (const { name, sockets } of crowds) findings.count(name, sockets.length);
  for (;;) {
    const left = end - performance.now();
    if (left <= 0) return;
    findings.progress(
      `open: ${crowds.map((each) => `${stillOpen(each)} ${each.name}`).join(', ')}`,
    );
    await pause(Math.min(left, 10_000));
  }
}

/** Waits until the server has no more handles than before. */
async function closed(site: SiteProcess, before: number, findings: Findings): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (handlesOf(site) <= before + slack) break;
    await pause(100);
  }
  findings.set('handles before', before);
  findings.set('handles after', handlesOf(site));
  if (handlesOf(site) > before + slack) findings.breaks('handles are left open');
}
