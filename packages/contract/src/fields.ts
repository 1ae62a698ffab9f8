import * as v from 'valibot';
import { manyLines, oneLine } from './clean-text.ts';
import { emailAddress } from './email-address.ts';
import { limits } from './limits.ts';
import { messages } from './messages.ts';

/**
 * Limits the length before any processing, because normalization can take quadratic time. Allows
 * twice the limit: forms without JavaScript send two characters per line break (HTML, 4.10.22.8 and
 * 4.10.11), and spaces are trimmed later.
 */
export const rawText = (max: number) =>
  v.pipe(v.string(), v.maxLength(2 * max, messages.field.tooLong(max)));

/** Whether a character has more combining marks than any script uses. */
export function hasTooManyMarks(text: string): boolean {
  for (const [marks] of text.matchAll(/\p{M}+/gu)) {
    if (marks.length > limits.combiningMarks) return true;
  }
  return false;
}

/** Rejects stacked marks, which would cover the lines above. Use after a length check. */
export const limitMarks = v.check(
  (text: string) => !hasTooManyMarks(text),
  messages.field.combiningMarks,
);

const cleaned = (max: number, clean: (text: string) => string) =>
  v.pipe(rawText(max), v.transform(clean));

/** Cleaned and trimmed. A missing field is reported as empty. */
export const requiredText = (max: number, required: string, min = 1, clean = manyLines) =>
  v.pipe(
    v.optional(cleaned(max, clean), ''),
    v.minLength(min, required),
    v.maxLength(max, messages.field.tooLong(max)),
    limitMarks,
  );

export const requiredLine = (max: number, required: string, min = 1) =>
  requiredText(max, required, min, oneLine);

/** A single line, cleaned. A missing field becomes ''. */
export const optionalLine = (max: number) =>
  v.optional(
    v.pipe(cleaned(max, oneLine), v.maxLength(max, messages.field.tooLong(max)), limitMarks),
    '',
  );

const isHttpUrl = (value: string): boolean => {
  const url = URL.parse(value);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
};

/** An http(s) URL. Empty becomes null. @param isAllowed accepts other URLs */
export const optionalHttpUrl = (
  max: number,
  invalid: string = messages.field.urlInvalid,
  isAllowed: (url: string) => boolean = () => false,
) =>
  v.pipe(
    v.nullable(rawText(max)),
    v.transform((value) => value?.trim() || null),
    v.check((value) => value === null || value.length <= max, messages.field.tooLong(max)),
    v.check((value) => value === null || isHttpUrl(value) || isAllowed(value), invalid),
  );

export const emailField = (required: string = messages.field.emailRequired) =>
  v.pipe(
    requiredText(limits.email, required, 1, (text) => text.trim()),
    emailAddress,
  );
