import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { MigrationFailed } from '@app/db/migrate';
import { pipelineVersion } from './blog/rendering/bodies.ts';
import { createBodyRenderer } from './blog/rendering/body-renderer.ts';
import { createLog } from './log.ts';
import { migrationsFolder } from './migrations-folder.ts';
import { loadRenderer } from './publishing/page-writer.ts';
import { siteFolder } from './publishing/release.ts';
import { createHealth } from './server/health/health.ts';
import { createHttpServer } from './server/http-server.ts';
import { createMetrics } from './server/metrics/metrics.ts';
import { createSiteFiles } from './server/site-files.ts';
import { readArguments, readEnv } from './startup/settings.ts';
import { startServer } from './startup/start-server.ts';
import { stopOnSignal } from './startup/stop-on-signal.ts';
import { StartupError } from './startup-error.ts';
import { restrictNewFiles } from './storage/data-folder/permissions.ts';

// Works from src/main.ts and from dist/main.js.
const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const buildFolder = fromHere('../../web/dist');

async function main(): Promise<void> {
  const startedAt = performance.now();
  const { startNew } = readArguments();
  const env = readEnv();
  const log = createLog(env.logLevel);
  const { publicUrl, dataDir } = env;
  restrictNewFiles(env.siteReaders);

  const metrics = createMetrics();
  metrics.watchProcess();
  // Listen first, so that a second server with the same settings fails before it touches any data.
  const httpServer = createHttpServer({
    log,
    metrics,
    isHttps: env.publicUrl.startsWith('https:'),
    hasOthers: env.databaseServer !== undefined,
  });
  await httpServer.listen(env.port, env.host, env.hasSocket);

  const health = createHealth(log);
  const bodyRenderer = createBodyRenderer();
  const build = { folder: buildFolder, publicUrl, contentVersion: pipelineVersion };
  const server = await startServer({
    env,
    log,
    health,
    metrics,
    renderer: await loadRenderer(build, log),
    bodyRenderer,
    siteFiles: createSiteFiles(siteFolder(dataDir)),
    httpServer,
    migrationsFolder,
    startNew,
  });
  stopOnSignal(log, async () => {
    health.stop();
    await server.stop();
    bodyRenderer.close();
  });

  const milliseconds = Math.round(performance.now() - startedAt);
  log.info({ url: publicUrl, dataDir, milliseconds }, `ready on ${publicUrl}`);
}

main().catch((error: unknown) => {
  const isExpected = error instanceof StartupError || error instanceof MigrationFailed;
  process.stderr.write(`${isExpected ? error.message : inspect(error)}\n`);
  process.exit(1);
});
