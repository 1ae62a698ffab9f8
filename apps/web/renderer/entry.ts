import type { PageLocals, RenderedPage } from '@app/contract/pages';
import { createApp } from 'astro/app/entrypoint';

export { readSamplePosts } from './sample-posts.ts';

const app = createApp({ streaming: false });

// By default Astro sends the policy of these pages as a header, which a file does not have.
if (!app.manifest.csp) throw new Error('security.csp is disabled in astro.config.ts');
app.manifest.csp.cspDestination = 'meta';

// Instead of an error page: the caller retries.
app.renderError = async (request, { status, error }) => {
  throw new Error(`Rendering ${new URL(request.url).pathname} failed with status ${status}`, {
    cause: error,
  });
};

/**
 * Renders a page that is not part of the build.
 * @param path /blog/how-to
 * @throws for an unknown path, or when rendering fails
 */
export const renderPage = async (
  path: string,
  { origin, page }: PageLocals,
): Promise<RenderedPage> => {
  const request = new Request(new URL(path, origin));
  const routeData = app.match(request);
  if (!routeData) throw new Error(`No page for ${path}`);
  const locals: App.Locals = { origin, page };
  const response = await app.render(request, { routeData, locals });
  if (!response.ok) throw new Error(`Rendering ${path} failed with status ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { bytes, card: locals.card ?? null };
};
