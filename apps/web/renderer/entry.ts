import type { PageLocals, RenderedPage } from '@app/contract/pages';
import { createApp } from 'astro/app/entrypoint';
import { cardOf } from '../cards/card-of.ts';
import { policyFor } from './policy.ts';
import { trustedSources } from './trusted-sources.ts';

const app = createApp({ streaming: false });
const { directives, sources } = trustedSources(app.manifest);

// The layouts leave a place for the policy: a header would be lost in a file.
app.manifest.shouldInjectCspMetaTags = false;

/** Stands in the page where its policy goes once the rest is drawn. */
const policyPlace = 'policy-place';

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
  const locals: App.Locals = { origin, page, policy: policyPlace };
  const response = await app.render(request, { routeData, locals });
  if (!response.ok) throw new Error(`Rendering ${path} answered ${response.status}`);
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('text/html')) return { text, card: null };
  const policy = policyFor(text, directives, (source) => sources.has(source));
  return { text: text.replace(policyPlace, policy), card: cardOf(text) };
};
