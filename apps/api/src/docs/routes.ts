import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { createMiddleware } from 'hono/factory';
import type { AppEnv, Routes } from '../server/context.ts';
import type { Deps as ServerDeps } from '../server/deps.ts';
import { describeEndpoint } from '../server/describe-endpoint.ts';
import { problem } from '../server/problem.ts';
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

/** Read for each request, so that 1.7 MB of scripts do not stay in memory. */
const assets: Readonly<Record<string, { type: string; read: () => string | Promise<Buffer> }>> = {
  'docs.css': { type: css, read: () => docsStyles },
  'reference.js': { type: javaScript, read: () => referenceScript },
  'swagger-ui.css': { type: css, read: () => readSwaggerFile('swagger-ui.css') },
  'swagger-ui-bundle.js': {
    type: javaScript,
    read: () => readSwaggerFile('swagger-ui-bundle.js'),
  },
};

const readSwaggerFile = (name: string): Promise<Buffer> =>
  readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));

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

  const pageHeaders = createMiddleware<AppEnv>(async (c, next) => {
    c.header('Content-Security-Policy', policy);
    c.header('X-Robots-Tag', 'noindex');
    return next();
  });
  const htmlReply = (description: string) => ({
    replies: { 200: { description, contentType: 'text/html' } },
  });

  return new Hono<AppEnv>()
    .get(
      '/openapi.json',
      describeEndpoint({
        summary: 'Get this document',
        replies: { 200: { description: 'OpenAPI 3.1.', contentType: 'application/json' } },
      }),
      async (c) => c.json(await getDocument()),
    )
    .get(
      '/docs',
      describeEndpoint({
        summary: 'Read about the endpoints and problem codes',
        ...htmlReply('A page without JavaScript.'),
      }),
      pageHeaders,
      async (c) => c.html(docsPage(await getDocument())),
    )
    .get(
      '/docs/reference',
      describeEndpoint({ summary: 'Try the endpoints', ...htmlReply('Swagger UI.') }),
      pageHeaders,
      async (c) => c.html(referencePage(await getDocument())),
    )
    .get(
      '/docs/assets/:name',
      describeEndpoint({
        summary: 'Get a stylesheet or script of these pages',
        replies: { 200: { description: 'The file.', contentType: 'text/javascript' } },
        problems: ['not_found'],
      }),
      compress(),
      async (c) => {
        const asset = Object.hasOwn(assets, c.req.param('name'))
          ? assets[c.req.param('name')]
          : undefined;
        if (!asset) return problem(c, 'not_found', 'There is no such file.');
        const file = await asset.read();
        return c.body(typeof file === 'string' ? file : new Uint8Array(file), 200, {
          'Content-Type': asset.type,
          'Cache-Control': 'public, max-age=86400',
        });
      },
    );
}
