import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppEnv, Routes } from '../server/context.ts';
import type { Deps as ServerDeps } from '../server/deps.ts';
import { describeEndpoint, notModified } from '../server/describe-endpoint.ts';
import { problem } from '../server/problem.ts';
import { htmlType } from '../server/rendered-page.ts';
import { sharedBody } from '../server/shared-body.ts';
import { createDocument, type OpenApiDocument } from './document.ts';
import { docsPage, docsStyles, referencePage, referenceScript } from './pages.ts';

interface Deps extends ServerDeps {
  renderer: ServerDeps['renderer'] & { buildId: string };
  sessions: { cookieName: string };
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const javaScript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

const assetHeaders = { 'Cache-Control': 'public, max-age=86400' };

const fromText = (contentType: string, text: string) =>
  sharedBody(contentType, () => text, assetHeaders);

const fromSwagger = (contentType: string, name: string) =>
  sharedBody(
    contentType,
    () => readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`)),
    assetHeaders,
  );

/** Serves /api/openapi.json, and /api/docs, to which the `type` of every problem links. */
export function docsRoutes(
  app: Routes,
  deps: Deps,
  { endpointsWithoutOrigin }: { endpointsWithoutOrigin: readonly string[] },
) {
  let document: Promise<OpenApiDocument> | null = null;
  const getDocument = (): Promise<OpenApiDocument> => {
    document ??= createDocument(app, {
      publicUrl: deps.settings.publicUrl,
      version: deps.renderer.buildId,
      sessionCookie: deps.sessions.cookieName,
      endpointsWithoutOrigin,
    });
    return document;
  };

  const openApi = sharedBody('application/json', async () => JSON.stringify(await getDocument()));
  const overview = sharedBody(htmlType, async () => String(await docsPage(await getDocument())));
  const reference = sharedBody(htmlType, async () =>
    String(await referencePage(await getDocument())),
  );
  const assets: Readonly<Record<string, ReturnType<typeof sharedBody>>> = {
    'docs.css': fromText(css, docsStyles),
    'reference.js': fromText(javaScript, referenceScript),
    'swagger-ui.css': fromSwagger(css, 'swagger-ui.css'),
    'swagger-ui-bundle.js': fromSwagger(javaScript, 'swagger-ui-bundle.js'),
  };

  const pageHeaders = createMiddleware<AppEnv>(async (c, next) => {
    c.header('Content-Security-Policy', policy);
    c.header('X-Robots-Tag', 'noindex');
    return next();
  });
  const htmlReply = (description: string) => ({
    replies: { 200: { description, contentType: 'text/html' }, ...notModified },
  });

  return new Hono<AppEnv>()
    .get(
      '/openapi.json',
      describeEndpoint({
        summary: 'Get this document',
        replies: {
          200: { description: 'OpenAPI 3.1.', contentType: 'application/json' },
          ...notModified,
        },
      }),
      openApi,
    )
    .get(
      '/docs',
      describeEndpoint({
        summary: 'Read about the endpoints and problem codes',
        ...htmlReply('A page without JavaScript.'),
      }),
      pageHeaders,
      overview,
    )
    .get(
      '/docs/reference',
      describeEndpoint({ summary: 'Try the endpoints', ...htmlReply('Swagger UI.') }),
      pageHeaders,
      reference,
    )
    .get(
      '/docs/assets/:name',
      describeEndpoint({
        summary: 'Get a stylesheet or script of these pages',
        replies: {
          200: { description: 'The file.', contentType: 'text/javascript' },
          ...notModified,
        },
        problems: ['not_found'],
      }),
      (c) => {
        const asset = Object.hasOwn(assets, c.req.param('name'))
          ? assets[c.req.param('name')]
          : undefined;
        return asset ? asset(c) : problem(c, 'not_found', 'There is no such file.');
      },
    );
}
