import type { ProblemCode } from '@app/contract/problems';
import { type DescribeRouteOptions, describeRoute, resolver, uniqueSymbol } from 'hono-openapi';
import type { GenericSchema } from 'valibot';

/** What one handler of a route adds to the route's operation in the OpenAPI document. */
export interface Description
  extends Partial<Pick<DescribeRouteOptions, 'requestBody' | 'responses' | 'security'>> {
  problems?: readonly ProblemCode[];
}

/** Holds the problem codes of an operation until docs/document.ts turns them into responses. */
export const problemsKey = 'x-problems';

const specOf = ({ problems = [], ...spec }: Description) => ({ ...spec, [problemsKey]: problems });

/** Adds a description to every route that uses the middleware. */
export const describeMiddleware = <Middleware extends object>(
  middleware: Middleware,
  description: Description,
): Middleware => Object.assign(middleware, { [uniqueSymbol]: { spec: specOf(description) } });

interface Reply {
  description: string;
  /** For a JSON body. */
  schema?: GenericSchema;
  /** For any other body. */
  contentType?: string;
}

/** For endpoints with an ETag. */
export const notModified = { 304: { description: 'The client has the current version.' } };

interface Endpoint extends Partial<Pick<DescribeRouteOptions, 'parameters'>> {
  /** A verb phrase. */
  summary: string;
  description?: string;
  /** By status. */
  replies: Readonly<Record<number, Reply>>;
  /** In addition to those of its middleware and those that every endpoint can return. */
  problems?: readonly ProblemCode[];
  /** If visitors can use it, too. */
  session?: 'optional';
}

/** Describes a route in the OpenAPI document. Must be the first of its handlers. */
export const describeEndpoint = ({ replies, session, problems = [], ...endpoint }: Endpoint) =>
  describeRoute({
    ...endpoint,
    ...specOf({
      problems,
      responses: Object.fromEntries(
        Object.entries(replies).map(([status, reply]) => [status, responseOf(reply)]),
      ),
      ...(session === 'optional' && { security: [{}, { session: [] }] }),
    }),
  });

function responseOf({ description, schema, contentType }: Reply) {
  if (contentType !== undefined) return { description, content: { [contentType]: {} } };
  if (!schema) return { description };
  return { description, content: { 'application/json': { schema: resolver(schema) } } };
}

export const queryParameters = (descriptions: Readonly<Record<string, string>>) =>
  Object.entries(descriptions).map(([name, description]) => ({
    in: 'query',
    name,
    description,
    schema: { type: 'string' as const },
  }));

export const pathParameter = (
  name: string,
  description: string,
  type: 'string' | 'integer' = 'string',
) => ({ in: 'path' as const, name, required: true, description, schema: { type } });
