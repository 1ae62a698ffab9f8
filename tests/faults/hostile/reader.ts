// Runs in its own thread, so that other work does not distort the response times.
import { Agent, get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Reads } from './report.ts';

export interface ReaderTask {
  url: string;
  paths: readonly string[];
  readers: number;
  pauseMilliseconds: number;
}

export interface SlowRead {
  path: string;
  status: number;
  milliseconds: number;
  at: number;
}

export interface ReaderResult {
  reads: Reads;
  slowest: SlowRead[];
}

const { url, paths, readers, pauseMilliseconds } = workerData as ReaderTask;
const agent = new Agent({ keepAlive: true });
const began = performance.now();
const durations: number[] = [];
const statuses: Record<string, number> = {};
const slowest: SlowRead[] = [];
let isStopped = false;

/** Returns the status once the body has been read, or 0 if the connection broke. */
const read = (path: string): Promise<number> =>
  new Promise((resolve) => {
    get(url + path, { agent, headers: { 'Accept-Encoding': 'gzip' } }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', () => resolve(0));
      response.resume();
    }).on('error', () => resolve(0));
  });

async function readOn(first: number): Promise<void> {
  for (let n = first; !isStopped; n += 1) {
    const path = paths[n % paths.length] ?? '/';
    const start = performance.now();
    const status = await read(path);
    const milliseconds = performance.now() - start;
    durations.push(milliseconds);
    statuses[status] = (statuses[status] ?? 0) + 1;
    slowest.push({ path, status, milliseconds, at: Math.round((start - began) / 1_000) });
    slowest.sort((a, b) => b.milliseconds - a.milliseconds).splice(10);
    await setTimeout(pauseMilliseconds);
  }
}

parentPort?.once('message', () => {
  isStopped = true;
});
await Promise.all(Array.from({ length: readers }, (_, n) => readOn(n * 3)));
agent.destroy();
const sorted = durations.toSorted((a, b) => a - b);
const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
parentPort?.postMessage({
  reads: { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1), statuses },
  slowest,
} satisfies ReaderResult);
