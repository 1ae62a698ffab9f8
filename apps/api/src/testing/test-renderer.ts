import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOrigin, type PageData } from '@app/contract/pages';
import type { Renderer } from '../publishing/renderer.ts';

/** A build in small: two static files, and pages that say what they were rendered from. */
export function makeRenderer(folder: string, buildId = 'build-1'): Renderer {
  const staticFiles = join(folder, `static-${buildId}`);
  mkdirSync(join(staticFiles, '_astro'), { recursive: true });
  writeFileSync(
    join(staticFiles, 'index.html'),
    `<!doctype html><link rel="canonical" href="${buildOrigin}/"><p>Home of ${buildId}</p>`,
  );
  writeFileSync(join(staticFiles, '404.html'), '<!doctype html><p>Oops! Page not found</p>');
  writeFileSync(join(staticFiles, '_astro', `${buildId}.js`), `console.log('${buildId}')`);
  return {
    buildId,
    staticFiles,
    render: async (path, page: PageData) =>
      Buffer.from(
        `<!doctype html><title>${path} of ${buildId}</title><pre>${JSON.stringify(page)}</pre>`,
      ),
  };
}
