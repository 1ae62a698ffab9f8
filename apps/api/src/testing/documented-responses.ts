import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { createApp } from '../app.ts';
import { createDocument, operationsOf } from '../docs/document.ts';
import { features } from '../features.ts';
import { decoded } from './decoded.ts';

type App = ReturnType<typeof createApp>;

export const documentOf = (app: App) =>
  createDocument(app, {
    publicUrl: 'https://example.com',
    version: 'test',
    sessionCookie: 'session',
    endpointsWithoutOrigin: features.flatMap((feature) => feature.endpointsWithoutOrigin ?? []),
  });

const pointer = (...names: string[]): string =>
  names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

async function createCheck(app: App) {
  const document = JSON.parse(JSON.stringify(await documentOf(app)));
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, 'document');
  const validators = new Map<string, ValidateFunction>();
  const operations = operationsOf(document)
    .map(({ path, ...rest }) => ({
      ...rest,
      path,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    }))
    // /api/docs/reference before /api/docs/{name}
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length);

  return async (method: string, pathname: string, response: Response): Promise<void> => {
    const found = operations.find(
      (operation) => operation.method === method && operation.pattern.test(pathname),
    );
    if (!found) return;
    const name = `${method} ${found.path} → ${response.status}`;
    const { content } = found.operation.responses[response.status] ?? {};
    if (!(response.status in found.operation.responses)) throw new Error(`undocumented: ${name}`);
    const type = response.headers.get('Content-Type')?.split(';')[0] ?? '';
    if (!type.endsWith('json')) return;
    if (!content?.[type]) throw new Error(`undocumented: ${name} as ${type}`);
    if (!('schema' in content[type])) return;
    const ref = `document#${pointer('paths', found.path, method.toLowerCase(), 'responses', String(response.status), 'content', type, 'schema')}`;
    const validate = validators.get(ref) ?? ajv.compile({ $ref: encodeURI(ref) });
    validators.set(ref, validate);
    const body: unknown = await decoded(response.clone()).json();
    if (validate(body)) return;
    throw new Error(`${name} differs from its schema: ${ajv.errorsText(validate.errors)}
${JSON.stringify(body)}`);
  };
}

let check: ReturnType<typeof createCheck> | null = null;

/** Makes an app throw if a response differs from its OpenAPI document. */
export function checkResponses(app: App): App {
  const { fetch } = app;
  app.fetch = async (request, ...rest) => {
    const { method } = request;
    const { pathname } = new URL(request.url);
    const response = await fetch(request, ...rest);
    check ??= createCheck(app);
    await (await check)(method, pathname, response);
    return response;
  };
  return app;
}
