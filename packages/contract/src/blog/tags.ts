import * as v from 'valibot';
import { hasTooManyMarks, oneLine, rawText } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { postFieldMessages } from './messages.ts';

/** The names in a text with commas. Of names that differ in case alone, the first one stays. */
export function tagNamesOf(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => oneLine(name).replace(/\s+/g, ' '))
    .filter((name) => name !== '');
  const first = new Map<string, string>();
  for (const name of names) {
    const key = name.toLowerCase();
    if (!first.has(key)) first.set(key, name);
  }
  return [...first.values()];
}

/** As in a form, also of a text that was typed. */
export const tagsText = (tags: string | readonly { name: string }[]): string =>
  typeof tags === 'string' ? tags : tags.map(({ name }) => name).join(', ');

/** None for a text that is unfinished. */
export const validTagNames = (text: string): string[] => {
  const parsed = v.safeParse(tagNames, text);
  return parsed.success ? parsed.output : [];
};

/** Names; a form sends a text with commas. */
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
    `Names, at most ${limits.tags}, or a text with commas. Upper and lower case are one tag.`,
  ),
);
