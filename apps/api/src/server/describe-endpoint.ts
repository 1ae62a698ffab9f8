import type { ProblemCode } from '@app/contract/problems';
import { type DescribeRouteOptions, describeRoute, resolver, uniqueSymbol } from 'hono-openapi';
import type { GenericSchema } from 'valibot';

/** What a part of a route adds to its operation in the OpenAPI document. */
export interface Description
  extends Partial<Pick<DescribeRouteOptions, 'requestBody' | 'responses' | 'security'>> {
  problems?: readonly ProblemCode[];
}

/** Where the codes of an operation wait until docs/document.ts makes responses of them. */
export const problemsKey = 'x-problems';

const specOf = ({ problems = [], ...spec }: Description) => ({ ...spec, [problemsKey]: problems });

/** Describes a middleware, for every route that uses it. */
export const describeMiddleware = <Middleware extends object>(
  middleware: Middleware,
  description: Description,
): Middleware => Object.assign(middleware, { [uniqueSymbol]: { spec: specOf(description) } });

interface Reply {
  description: string;
  /** Of a JSON body. */
  schema?: GenericSchema;
  /** Of any other body. */
  contentType?: string;
}

interface Endpoint extends Partial<Pick<DescribeRouteOptions, 'parameters'>> {
  /** A verb phrase. */
  summary: string;
  description?: string;
  /** By status. */
  replies: Readonly<Record<number, Reply>>;
  /** Besides those of its middleware, and those of every endpoint. */
  problems?: readonly ProblemCode[];
  /** It answers visitors, too. */
  session?: 'optional';
}

/** Describes a route in the OpenAPI document; first in the list of its handlers. */
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

/** Parameters of a query that are texts. */
export const queryParameters = (descriptions: Readonly<Record<string, string>>) =>
  Object.entries(descriptions).map(([name, description]) => ({
    in: 'query',
    name,
    description,
    schema: { type: 'string' as const },
  }));

/** A parameter of a path. */
export const pathParameter = (
  name: string,
  description: string,
  type: 'string' | 'integer' = 'string',
) => ({ in: 'path' as const, name, required: true, description, schema: { type } });
