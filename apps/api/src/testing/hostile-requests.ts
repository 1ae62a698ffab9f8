import fc from 'fast-check';
import type { operationsOf } from '../docs/document.ts';
import { hostileText, type JsonSchema, valuesOf } from './hostile-values.ts';

type Operation = ReturnType<typeof operationsOf>[number] & {
  operation: { parameters?: { name: string; in: string; schema?: JsonSchema }[] };
};

export interface HostileRequest {
  method: string;
  /** Percent-encoded, with the query. */
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
}

interface Context {
  resolve(ref: string): JsonSchema;
  /** Values of path parameters that exist. */
  existing: readonly string[];
}

/** Requests to an endpoint that its description allows, and others that it does not. */
export function requestsTo(
  { method, path, operation }: Operation,
  { resolve, existing }: Context,
): fc.Arbitrary<HostileRequest> {
  const parameters = operation.parameters ?? [];
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const segment = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...existing) },
    { weight: 3, arbitrary: hostileText.map(encode) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '%',
        '%zz',
        '%c0%ae',
        '%ff',
        '%2f..%2f',
        '%5c',
        '%00',
        '%0a',
        'a;b',
      ),
    },
  );
  // URL parsers remove dot segments, so the request would reach another endpoint.
  const isKept = (text: string) => !/^(?:\.|%2e){1,2}$/i.test(text);
  const segments = fc.record(
    Object.fromEntries(names.map((name) => [name, segment.filter(isKept)])),
  );
  const query = queryOf(
    parameters.filter((parameter) => parameter.in === 'query'),
    resolve,
  );
  const json = operation.requestBody?.content['application/json']?.schema as JsonSchema | undefined;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return fc
    .record({
      segments,
      query: fc.oneof({ weight: 3, arbitrary: query }, { weight: 1, arbitrary: strangeQuery }),
      headers: hostileHeaders,
      content: hasBody ? bodyOf(json, resolve) : fc.constant(noBody),
    })
    .map(({ segments: values, query: search, headers, content }) => ({
      method,
      path: path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] || '-') + search,
      headers: { ...content.headers, ...headers },
      body: content.body,
    }));
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed()).slice(0, 8_000);

function queryOf(
  parameters: readonly { name: string; schema?: JsonSchema }[],
  resolve: (ref: string) => JsonSchema,
): fc.Arbitrary<string> {
  const values = parameters.map(({ name, schema = {} }) =>
    fc.option(valuesOf(schema, resolve).map((value) => `${name}=${encode(String(value))}`)),
  );
  return fc.tuple(...values).map((parts) => {
    const given = parts.filter((part) => part !== null);
    return given.length > 0 ? `?${given.join('&')}` : '';
  });
}

const strangeQuery = fc.oneof(
  fc.constantFrom(
    '?',
    '?=',
    '?&&',
    '?%',
    '?q=%ff',
    '?q=a&q=b',
    '?cursor=%00',
    '?limit=-1',
    '?%00=1',
  ),
  hostileText.map((text) => `?q=${encode(text)}`),
  hostileText.map((text) => `?cursor=${encode(text)}`),
);

/** Values that HTTP allows: printable Latin-1. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .map((code) => String.fromCharCode(code === 0x7f ? 32 : code)),
  maxLength: 100,
});

const hostileHeaders: fc.Arbitrary<Record<string, string>> = fc
  .dictionary(
    fc.constantFrom(
      ...[
        'Accept',
        'Accept-Encoding',
        'Accept-Language',
        'Content-Type',
        'Content-Length',
        'Origin',
      ],
      ...['Referer', 'Idempotency-Key', 'If-Match', 'If-None-Match', 'If-Modified-Since', 'Range'],
      ...[
        'User-Agent',
        'X-Forwarded-For',
        'Sec-Purpose',
        'Sec-Fetch-Site',
        'Svix-Signature',
        'Host',
      ],
    ),
    fc.oneof(
      headerText,
      fc.constantFrom('*', 'null', 'bytes=9-1', 'text/html', 'application/json', '"'),
    ),
    { maxKeys: 2 },
  )
  .map((headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.trim()])),
  );

interface Content {
  headers: Record<string, string>;
  body: HostileRequest['body'];
}

const noBody: Content = { headers: {}, body: undefined };
const type = (name: string) => ({ 'Content-Type': name });

function bodyOf(
  schema: JsonSchema | undefined,
  resolve: (ref: string) => JsonSchema,
): fc.Arbitrary<Content> {
  const value = valuesOf(schema ?? {}, resolve);
  const json = value.map((body) => ({
    headers: type('application/json'),
    // JSON can escape any code unit, even half of a surrogate pair.
    body: JSON.stringify(body) ?? '',
  }));
  const form = value.map((body) => ({
    headers: type('application/x-www-form-urlencoded'),
    body: new URLSearchParams(
      Object.entries(Object(body) as object).map(([name, field]): [string, string] => [
        name,
        // An object without a prototype cannot be converted to a string.
        String(typeof field === 'object' ? JSON.stringify(field) : field).toWellFormed(),
      ]),
    ).toString(),
  }));
  const file = fc.uint8Array({ maxLength: 200 }).map((bytes) => ({
    headers: type('multipart/form-data; boundary=x'),
    body: new Uint8Array(
      Buffer.concat([
        Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
        bytes,
        Buffer.from('\r\n--x--\r\n'),
      ]),
    ),
  }));
  const anything = fc
    .tuple(
      fc.constantFrom(
        'application/json',
        'multipart/form-data',
        'text/plain',
        'multipart/form-data; boundary=x',
      ),
      fc.oneof(
        hostileText,
        fc.constantFrom('{', '[]', 'null', '"', '{"a":1}{', '--x', '--x\r\n\r\n--x--'),
      ),
    )
    .map(([name, body]) => ({ headers: type(name), body: body.toWellFormed() }));
  return fc.oneof(
    { weight: 12, arbitrary: json },
    { weight: 3, arbitrary: form },
    { weight: 1, arbitrary: file },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: fc.constant(noBody) },
  );
}
