import * as v from 'valibot';
import { describe, expect, it, test } from 'vitest';
import { messages } from '../messages.ts';
import { postFieldMessages } from './messages.ts';
import { tagNames, tagsText, validTagNames } from './tags.ts';

describe('tags', () => {
  it.each<[string, string | string[], string[]]>([
    ['a text with commas', ' Heat  pumps ,, winter\n', ['Heat pumps', 'winter']],
    ['names', ['Heat pumps', 'winter'], ['Heat pumps', 'winter']],
    ['a name with a comma', ['heat, pumps'], ['heat', 'pumps']],
    ['the same name in another case', 'HVAC, Pipes, hvac', ['HVAC', 'Pipes']],
    ['any script', '水道, Überlauf, כלים', ['水道', 'Überlauf', 'כלים']],
    ['nothing', ' , ', []],
  ])('are read from %s', (_what, given, names) => {
    expect(v.parse(tagNames, given)).toEqual(names);
  });

  const numbered = (count: number) => Array.from({ length: count }, (_, n) => `tag ${n}`);

  it.each<[string, unknown, string]>([
    ['eleven', numbered(11), postFieldMessages.tooManyTags],
    ['a thousand', numbered(1_000), postFieldMessages.tooManyTags],
    ['a long one', ['a'.repeat(41)], postFieldMessages.tagTooLong],
    ['one without letters', 'C, !!!', postFieldMessages.tagInvalid],
    ['stacked marks', `a${'\u0301'.repeat(18)}`, messages.field.combiningMarks],
    ['a very long text', 'a,'.repeat(501), messages.field.tooLong(500)],
  ])('rejects %s', (_what, given, message) => {
    const { issues, success } = v.safeParse(tagNames, given, { abortPipeEarly: true });
    expect([success, issues?.[0]?.message]).toEqual([false, message]);
    if (typeof given === 'string') expect(validTagNames(given)).toEqual([]);
  });

  it.each([[null], [7], [[7]], [{}]])('rejects %j', (given) => {
    expect(v.is(tagNames, given)).toBe(false);
  });
});

test('ten tags of forty characters fit in the form', () => {
  const names = Array.from({ length: 10 }, (_, n) => `${n}${'ü'.repeat(39)}`);
  const text = tagsText(names.map((name) => ({ name })));
  expect(v.parse(tagNames, text)).toEqual(names);
});
