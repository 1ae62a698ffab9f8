import { expect, test } from 'vitest';
import { leaveList } from './leave-list.ts';
import { run, stateOf, textOf } from './text-with-cursor.ts';

test.each([
  ['- a\n- ¦', '- a\n\n¦'],
  ['1. a\n2. ¦\n\nb', '1. a\n\n¦\n\nb'],
  ['- [x] a\n- [ ] ¦', '- [x] a\n\n¦'],
  ['> - a\n> - ¦', '> - a\n>\n> ¦'],
  // Left to CodeMirror
  ['- ¦', '- ¦'],
  ['- a\n    - ¦', '- a\n    - ¦'],
  ['- a\n- b¦', '- a\n- b¦'],
])('Enter in %j results in %j', (text, expected) => {
  expect(textOf(run(stateOf(text), leaveList))).toBe(expected);
});
