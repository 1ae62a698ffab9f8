import * as v from 'valibot';
import { messages } from './messages.ts';

/** A trimmed text that must not be empty. One that is absent is reported as an empty one is. */
export const requiredText = (most: number, required: string) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.trim(),
    v.nonEmpty(required),
    v.maxLength(most, messages.field.tooLong(most)),
  );

/** A trimmed text that may be absent or empty; absent comes out as ''. */
export const optionalText = (most: number) =>
  v.optional(v.pipe(v.string(), v.trim(), v.maxLength(most, messages.field.tooLong(most))), '');

const isWebAddress = (value: string): boolean => {
  const url = URL.parse(value);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
};

/** An http(s) address or nothing; nothing comes out as null. */
export const optionalWebAddress = (most: number) =>
  v.pipe(
    v.nullable(v.string()),
    v.transform((value) => value?.trim() || null),
    v.check((value) => value === null || isWebAddress(value), messages.field.urlInvalid),
    v.check((value) => value === null || value.length <= most, messages.field.tooLong(most)),
  );
