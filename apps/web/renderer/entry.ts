import type { PageLocals } from '@app/contract/pages';
import { createApp } from 'astro/app/entrypoint';
import { policiesOf } from './policy.ts';

const app = createApp({ streaming: false });
const policies = policiesOf(app.manifest);

// The layouts write the policy themselves, from Astro.locals: a header would be lost in a file.
app.manifest.shouldInjectCspMetaTags = false;

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
export const renderPage = async (path: string, { origin, page }: PageLocals): Promise<Response> => {
  const request = new Request(new URL(path, origin));
  const routeData = app.match(request);
  if (!routeData) throw new Error(`No page is rendered at ${path}`);
  const locals: App.Locals = { origin, page, policy: policies.get(routeData) };
  return app.render(request, { routeData, locals });
};
