import { SiteProcess, temporaryFolder } from './site-process.ts';

/**
 * Global setup of Vitest and Playwright: starts a server once on an empty folder. Other servers
 * start on copies of what it leaves, because rendering all pages takes seconds of CPU.
 */
export default async function publishSite(): Promise<() => void> {
  const folder = temporaryFolder();
  const site = await SiteProcess.start({ dataDir: folder.path });
  await site.stop();
  process.env['PUBLISHED_SITE'] = folder.path;
  return () => folder[Symbol.dispose]();
}
