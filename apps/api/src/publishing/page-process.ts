import { processWork } from '../server/process-work.ts';
import { type PageFile, type WrittenPage, writePages } from './page-files.ts';
import { type BuildOptions, type LoadedBuild, loadBuild } from './renderer.ts';

export interface PageTask {
  options: BuildOptions;
  buildId: string;
  pages: readonly PageFile[];
}

/** Nice value: half of the server's share of a CPU. */
const priority = 3;

let loading: Promise<LoadedBuild> | undefined;

export default processWork(
  priority,
  async ({ options, buildId, pages }: PageTask): Promise<WrittenPage[]> => {
    loading ??= loadBuild(options);
    const build = await loading;
    if (build.buildId !== buildId) {
      throw new Error('The site was built again: restart the server to publish the new build.');
    }
    return writePages(build.render, pages);
  },
);
