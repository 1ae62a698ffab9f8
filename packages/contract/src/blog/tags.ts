import * as v from 'valibot';
import { oneLine } from '../clean-text.ts';
import { hasTooManyMarks, rawText } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { postFieldMessages } from './messages.ts';

/**
 * The names in a comma-separated text. Of names that differ only in case, the first one is kept.
 */
export function tagNamesOf(text: string): string[] {
  const names = text
    .split(',')
    .map(oneLine)
    .filter((name) => name !== '');
  const first = new Map<string, string>();
  for (const name of names) {
    const key = name.toLowerCase();
    if (!first.has(key)) first.set(key, name);
  }
  return [...first.values()];
}

/** The comma-separated text of a form's field. A text that was typed is returned unchanged. */
export const tagsText = (tags: string | readonly { name: string }[]): string =>
  typeof tags === 'string' ? tags : tags.map(({ name }) => name).join(', ');

/** Empty for an invalid text, such as an incomplete one. */
export const validTagNames = (text: string): string[] => {
  const parsed = v.safeParse(tagNames, text);
  return parsed.success ? parsed.output : [];
};

/** An array of names, or a form's comma-separated text. */
export const tagNames = v.pipe(
  v.union([
    rawText(limits.tagsText),
    v.pipe(
      v.array(rawText(limits.tag)),
      v.maxLength(2 * limits.tags, postFieldMessages.tooManyTags),
    ),
  ]),
  v.transform((value) => tagNamesOf(typeof value === 'string' ? value : value.join(','))),
  v.maxLength(limits.tags, postFieldMessages.tooManyTags),
  v.check(
    (names) => names.every((name) => name.length <= limits.tag),
    postFieldMessages.tagTooLong,
  ),
  v.check(
    (names) => names.every((name) => /[\p{L}\p{N}]/u.test(name)),
    postFieldMessages.tagInvalid,
  ),
  v.check((names) => !names.some(hasTooManyMarks), messages.field.combiningMarks),
  v.description(
    `At most ${limits.tags} names, or a comma-separated text. Case does not distinguish tags.`,
  ),
);
