import * as v from 'valibot';
import { limits } from './limits.ts';
import { messages } from './messages.ts';

/**
 * A text as it is sent, before anything is done to it. What is done costs time, normalization even
 * with the square of the length, so the length is checked first. A form without scripts sends each
 * line end as two characters, where its field counts one (HTML, 4.10.22.8 and 4.10.11), and spaces
 * around a text are cut off: hence twice as much.
 */
export const rawText = (max: number) =>
  v.pipe(v.string(), v.maxLength(2 * max, messages.field.tooLong(max)));

/** Whether a character carries more combining marks than any script needs. */
export function hasTooManyMarks(text: string): boolean {
  for (const [marks] of text.matchAll(/\p{M}+/gu)) {
    if (marks.length > limits.combiningMarks) return true;
  }
  return false;
}

/** No characters under towers of marks, which cover the lines above. Has to follow a check of the length. */
export const limitMarks = v.check(
  (text: string) => !hasTooManyMarks(text),
  messages.field.combiningMarks,
);

const trimmed = (max: number) =>
  v.pipe(
    rawText(max),
    v.transform((value) => value.replaceAll('\r\n', '\n').trim()),
  );

/**
 * A trimmed text of at least `least` characters, where `required` says so. One that is absent
 * is reported as an empty one is.
 */
export const requiredText = (most: number, required: string, least = 1) =>
  v.pipe(
    v.optional(trimmed(most), ''),
    v.minLength(least, required),
    v.maxLength(most, messages.field.tooLong(most)),
    limitMarks,
  );

/** A trimmed text that may be absent or empty; absent comes out as ''. */
export const optionalText = (most: number) =>
  v.optional(
    v.pipe(trimmed(most), v.maxLength(most, messages.field.tooLong(most)), limitMarks),
    '',
  );

const isWebAddress = (value: string): boolean => {
  const url = URL.parse(value);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
};

/** An http(s) address or nothing; nothing comes out as null. */
export const optionalWebAddress = (most: number, invalid: string = messages.field.urlInvalid) =>
  v.pipe(
    v.nullable(rawText(most)),
    v.transform((value) => value?.trim() || null),
    v.check((value) => value === null || value.length <= most, messages.field.tooLong(most)),
    v.check((value) => value === null || isWebAddress(value), invalid),
  );

/** Addresses are compared in lower case: people do not tell Ann@ from ann@. */
export const emailField = (required: string = messages.field.emailRequired) =>
  v.pipe(
    requiredText(limits.email, required),
    v.toLowerCase(),
    v.email(messages.field.emailInvalid),
  );
