import type { PageLocals, RenderedPage } from '@app/contract/pages';
import { createApp } from 'astro/app/entrypoint';

export { readSamplePosts } from './sample-posts.ts';

const app = createApp({ streaming: false });

// By default, Astro sends the CSP of these pages as a header, which files do not have.
if (!app.manifest.csp) throw new Error('security.csp is disabled in astro.config.ts');
app.manifest.csp.cspDestination = 'meta';

// Throws instead of rendering an error page, so that the caller can retry.
app.renderError = async (request, { status, error }) => {
  throw new Error(`Rendering ${new URL(request.url).pathname} failed with status ${status}`, {
    cause: error,
  });
};

/**
 * Renders a page that is not part of the build.
 * @param path such as /blog/how-to
 * @throws if the path is unknown or rendering fails
 */
export const renderPage = async (
  path: string,
  { origin, page, account }: PageLocals,
): Promise<RenderedPage> => {
  const request = new Request(new URL(path, origin));
  const routeData = app.match(request);
  if (!routeData) throw new Error(`No page for ${path}`);
  const locals: App.Locals = { origin, page, account };
  const response = await app.render(request, { routeData, locals });
  if (!response.ok) throw new Error(`Rendering ${path} failed with status ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { bytes, card: locals.card ?? null };
};
