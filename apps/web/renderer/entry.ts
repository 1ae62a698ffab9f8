import type { PageLocals, RenderedPage } from '@app/contract/pages';
import { createApp } from 'astro/app/entrypoint';

export { readSamplePosts } from './sample-posts.ts';

const app = createApp({ streaming: false });

// Astro sends the policy of these pages as a header, which a file cannot carry.
if (!app.manifest.csp) throw new Error('security.csp is switched off in astro.config.ts');
app.manifest.csp.cspDestination = 'meta';

// Astro would answer an error page; the caller wants to know and to try again.
app.renderError = async (request, { status, error }) => {
  throw new Error(`Rendering ${new URL(request.url).pathname} gave status ${status}`, {
    cause: error,
  });
};

/**
 * Renders one of the pages that are not part of the build.
 * @param path absolute, without the origin: `/blog/how-to`
 * @throws when there is no such page or it fails
 */
export const renderPage = async (
  path: string,
  { origin, page }: PageLocals,
): Promise<RenderedPage> => {
  const request = new Request(new URL(path, origin));
  const routeData = app.match(request);
  if (!routeData) throw new Error(`No page is rendered at ${path}`);
  const locals: App.Locals = { origin, page };
  const response = await app.render(request, { routeData, locals });
  if (!response.ok) throw new Error(`Rendering ${path} answered ${response.status}`);
  const text = await response.text();
  return { text, card: locals.card ?? null };
};
