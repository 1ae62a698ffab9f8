import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import type { Log } from '../log.ts';
import { createProcessPool, programFile } from '../server/process-pool.ts';
import type { WrittenPage } from './page-files.ts';
import type { PageTask } from './page-process.ts';
import { type BuildOptions, loadBuild, type Renderer } from './renderer.ts';

const idleTimeout = 1_000;

/** A batch takes a fraction of a second, but a process of low priority may have to wait. */
const timeoutMilliseconds = 300_000;

/** Each has the whole renderer in memory. */
const writers = Math.min(availableParallelism(), 2);

/**
 * Loads the build. The pages of a full render are rendered in child processes, so that readers do not
 * wait and their memory is freed afterwards.
 * @throws {StartupError} when there is no build.
 */
export async function loadRenderer(options: BuildOptions, log: Log): Promise<Renderer> {
  const build = await loadBuild(options);
  const { buildId } = build;
  const pool = createProcessPool<PageTask, WrittenPage[]>({
    filename: programFile('page-process', import.meta),
    maxThreads: writers,
    // The whole renderer needs 40 MB. Without limits, garbage would double that. V8's default initial
    // size is close to the live heap, which would cause a full collection every 50 posts.
    execArgv: [
      '--max-semi-space-size=8',
      '--initial-old-space-size=48',
      '--max-old-space-size=128',
    ],
    idleTimeout,
    timeout: timeoutMilliseconds,
    log,
  });
  const limit = pLimit(writers);
  return {
    ...build,
    writePages: (pages) => limit(() => pool.run({ options, buildId, pages })),
    endWriting: pool.endIdle,
  };
}
