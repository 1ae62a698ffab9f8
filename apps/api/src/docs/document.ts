import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ProblemCode, problem, problems } from '@app/contract/problems';
import { company } from '@app/site/company';
import { type GenerateSpecOptions, generateSpecs, resolver } from 'hono-openapi';
import type { Routes } from '../server/context.ts';
import { problemsKey } from '../server/describe-endpoint.ts';

export type OpenApiDocument = Awaited<ReturnType<typeof createDocument>>;

interface DocumentSettings {
  publicUrl: string;
  /** The build that is running. */
  version: string;
  sessionCookie: string;
  /** Endpoints that accept requests without an Origin header: `POST /api/path`. */
  endpointsWithoutOrigin: readonly string[];
}

const description =
  'Requests that change something must have the site’s own Origin header. Errors are application/problem+json (RFC 9457): rely on their code, not on their texts. Most endpoints also accept forms without JavaScript (application/x-www-form-urlencoded), and reply to them with a redirect or a page.';

/** The OpenAPI document of all routes that have a description, see `describeEndpoint`. */
export async function createDocument(
  app: Routes,
  { publicUrl, version, sessionCookie, endpointsWithoutOrigin }: DocumentSettings,
) {
  const { schema, components } = await resolver(problem).toOpenAPISchema();
  const options: Partial<GenerateSpecOptions> = {
    documentation: {
      info: { title: `${company.name} API`, version, description },
      servers: [{ url: publicUrl }],
      components: {
        schemas: { ...components?.schemas },
        securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: sessionCookie } },
      },
    },
    exclude: [/^\/api\/dev\//],
    excludeStaticFile: false,
  };
  // Path by path, because all of them together would hold the event loop for 50 ms.
  const part = Object.create(app) as Routes;
  part.routes = [];
  const document = await generateSpecs(part, options);
  for (const path of new Set(app.routes.map((route) => route.path))) {
    part.routes = app.routes.filter((route) => route.path === path || route.path.endsWith('*'));
    const { paths, components: own } = await generateSpecs(part, options);
    Object.assign(document.paths, paths);
    Object.assign(document.components?.schemas ?? {}, own?.schemas);
    await nextTurn();
  }
  for (const { path, method, operation } of operationsOf(document)) {
    const { [problemsKey]: own = [] } = operation;
    delete operation[problemsKey];
    const isChange = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
    const needsOrigin = isChange && !endpointsWithoutOrigin.includes(`${method} ${path}`);
    const codes = new Set<ProblemCode>([
      ...own,
      ...(needsOrigin ? (['forbidden_origin'] as const) : []),
      ...(isChange ? whileReadingBodies : []),
      'internal',
      'busy',
    ]);
    // The tag of /api/posts/{post} is posts.
    operation.tags = path
      .split('/')
      .filter((part) => part && part !== 'api')
      .slice(0, 1);
    for (const { schema: body } of Object.values(operation.requestBody?.content ?? {})) {
      requireNonEmpty(body);
    }
    operation.responses = { ...operation.responses, ...problemResponses([...codes], schema) };
  }
  return document;
}

interface Operation {
  summary: string;
  [problemsKey]?: ProblemCode[];
  tags: string[];
  /** Missing if no session is needed. Contains an empty object if visitors are allowed, too. */
  security?: object[];
  requestBody?: { content: Record<string, { schema: BodySchema; example?: object }> };
  responses: Record<string, { content?: Record<string, object> }>;
}

interface BodySchema {
  properties?: Record<string, { default?: unknown; minLength?: number; maxLength?: number }>;
  required?: string[];
}

/** The schema reports a missing text like an empty one (see fields.ts), so it looks optional. */
function requireNonEmpty(schema: BodySchema): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.default !== '' || !property.minLength) continue;
    delete property.default;
    schema.required = [...(schema.required ?? []), name];
  }
}

/** All operations, with their methods in capitals. */
export const operationsOf = ({ paths }: { paths: object }) =>
  Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );

/** A body is read on every route, see `readBodyFirst` and `limitLargeBodies`. */
const whileReadingBodies = [
  'malformed_body',
  'request_timeout',
  'body_too_large',
  'too_many_requests',
] as const;

function problemResponses(codes: readonly ProblemCode[], schema: object): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      {
        description: same.map((code) => problems[code].title).join(', or '),
        content: {
          'application/problem+json': {
            schema: { allOf: [schema, { properties: { code: { enum: same } } }] },
          },
        },
      },
    ]),
  );
}
