import fc from 'fast-check';

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  format?: string;
}

/** Texts that parsers, databases, file systems and templates are known to mishandle. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
  fc.constantFrom(
    ...['', ' ', '\0', 'a\0b', '\ud800', '\udfff\ud800', '\ufeff', '\u202e', '\r\nSet-Cookie: a=b'],
    ...['__proto__', 'constructor', 'toString', 'null', 'undefined', 'NaN', '-1', '1e999', '0x10'],
    ...[
      '../../site.db',
      '..\\..\\site.db',
      '%2e%2e%2f',
      '%00',
      '%',
      '//example.com',
      '/',
      '.',
      '..',
    ],
    ...["' OR 1=1 --", '"; DROP TABLE users; --', '%_', '*', 'NEAR(', '"', '{{7*7}}'],
    ...[
      '<script>',
      'javascript:alert(1)',
      'https://[',
      'http://\u0000',
      'data:,x',
      '\u{1f468}\u200d',
    ],
    ...[
      'ann@example.com',
      '@',
      'a@b',
      `${'a'.repeat(300)}@example.com`,
      'ａｎｎ@example.com',
      'ﬁ',
      'İ',
    ],
    ...['2026-02-30T25:61:00Z', '2026-13-01', '-271821-04-20T00:00:00Z', '+275760-09-13T00:00:00Z'],
    ...['x'.repeat(10_000), '['.repeat(5_000), '\u0301'.repeat(2_000), '> '.repeat(500)],
  ),
);

const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  hostileText,
  fc.constantFrom<unknown>(null, true, -1, 0.1, 1e308, -0, 2 ** 53, [], {}, [[]], [null], {
    a: {},
  }),
);

/** Values that the schema allows, any part of which is sometimes one that it does not. */
export function valuesOf(
  schema: JsonSchema,
  resolve: (ref: string) => JsonSchema,
): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: allowedValuesOf(schema, resolve) },
    { weight: 1, arbitrary: anyJson },
  );
}

function allowedValuesOf(
  schema: JsonSchema,
  resolve: (ref: string) => JsonSchema,
): fc.Arbitrary<unknown> {
  if (schema.$ref) return valuesOf(resolve(schema.$ref), resolve);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, resolve)));
  if (schema.allOf) {
    return fc
      .tuple(...schema.allOf.map((part) => valuesOf(part, resolve)))
      .map((parts) => Object.assign({}, ...parts) as unknown);
  }
  const [type] = [schema.type ?? []].flat();
  switch (type) {
    case 'object':
      return objectOf(schema, resolve);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, resolve), {
        maxLength: Math.min(schema.maxItems ?? 5, 5) + 1,
      });
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.oneof(
        fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 5 }),
        fc.maxSafeInteger(),
      );
    case 'number':
      return fc.double({ noNaN: true, min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return anyJson;
  }
}

function textOf({ minLength = 0, maxLength = 200, format }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'email') return fc.oneof(fc.emailAddress(), hostileText);
  if (format === 'date-time') {
    return fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toJSON()),
      hostileText,
    );
  }
  if (format === 'uri') return fc.oneof(fc.webUrl(), hostileText);
  if (format === 'uuid') return fc.oneof(fc.uuid(), hostileText);
  const fits = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, minLength + 50)) };
  const tooLong = fc.constant('x'.repeat(Math.min(maxLength + 1, 100_000)));
  return fc.oneof(
    { weight: 6, arbitrary: fc.string(fits) },
    { weight: 2, arbitrary: fc.string({ ...fits, unit: 'grapheme' }) },
    { weight: 3, arbitrary: hostileText },
    { weight: 1, arbitrary: tooLong },
  );
}

function objectOf(schema: JsonSchema, resolve: (ref: string) => JsonSchema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const known = fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, valuesOf(property, resolve)]),
    ),
    { requiredKeys: required.filter((name) => name in properties) },
  );
  const unknown = fc.dictionary(
    fc.constantFrom('__proto__', 'constructor', 'id', 'role', 'extra', ''),
    anyJson,
    { maxKeys: 1 },
  );
  const lacking = fc.subarray(required, { maxLength: Math.min(required.length, 1) });
  return fc
    .tuple(known, fc.option(unknown, { freq: 8 }), fc.option(lacking, { freq: 8 }))
    .map(([value, extra, missing]) => {
      const entries = Object.entries({ ...value, ...extra });
      return Object.fromEntries(entries.filter(([name]) => !missing?.includes(name)));
    });
}
