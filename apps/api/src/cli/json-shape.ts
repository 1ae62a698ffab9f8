import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';

export type JsonSchema = ReturnType<typeof toJsonSchema>;

const width = 75;

export const jsonSchemaOf = (schema: GenericSchema): JsonSchema => toJsonSchema(schema);

/** A TypeScript type, on several lines if it does not fit on one. Times have the type `time`. */
export const describeShape = (schema: JsonSchema): string => formatShape(schema, '', 0);

/** @param used columns already used on the first line */
function formatShape(schema: JsonSchema, indent: string, used: number): string {
  const line = formatLine(schema);
  if (used + line.length <= width) return line;
  if (schema.type === 'array') return `${formatShape(itemsOf(schema), indent, used)}[]`;
  if (schema.anyOf) {
    return partsOf(schema)
      .map((part) => formatShape(part, indent, width))
      .join(' | ');
  }
  if (!schema.properties) return line;
  const inner = `${indent}  `;
  const fields = entriesOf(schema).map(([name, field]) => {
    const start = `${inner}${name}: `;
    return `${start}${formatShape(field, inner, start.length)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

function formatLine(schema: JsonSchema): string {
  if (schema.anyOf) return partsOf(schema).map(formatLine).join(' | ');
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (schema.type === 'array') {
    const items = formatLine(itemsOf(schema));
    return items.includes(' | ') && !items.startsWith('{') ? `(${items})[]` : `${items}[]`;
  }
  if (schema.properties) {
    const fields = entriesOf(schema).map(([name, field]) => `${name}: ${formatLine(field)}`);
    return `{ ${fields.join('; ')} }`;
  }
  if (schema.type === 'object') {
    const values = schema.additionalProperties as JsonSchema;
    return `{ [name]: ${formatLine(values)} }`;
  }
  if (schema.format === 'date-time') return 'time';
  if (schema.type === 'integer') return 'number';
  return String(schema.type ?? 'unknown');
}

const partsOf = (schema: JsonSchema): JsonSchema[] => schema.anyOf as JsonSchema[];

const itemsOf = (schema: JsonSchema): JsonSchema => schema.items as JsonSchema;

const entriesOf = ({ properties = {}, required = [] }: JsonSchema): [string, JsonSchema][] =>
  Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => [
    required.includes(name) ? name : `${name}?`,
    field,
  ]);
