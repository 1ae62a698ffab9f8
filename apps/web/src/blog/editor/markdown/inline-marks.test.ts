import { expect, test } from 'vitest';
import { type InlineMark, inlineMarks, toggleMark } from './inline-marks.ts';
import { insertLink } from './link.ts';
import { run, stateOf, textOf, type } from './text-with-cursor.ts';

const characters: Record<InlineMark, string> = {
  bold: '**',
  italic: '*',
  strikethrough: '~~',
  code: '`',
};

const toggled = (text: string, mark: InlineMark): string =>
  textOf(run(stateOf(text), toggleMark(mark)));

test.each<[string, InlineMark, string]>([
  ['¦word', 'italic', '*¦word*'],
  ['wo¦rd', 'bold', '**wo¦rd**'],
  ['*¦word*', 'italic', '¦word'],
  ['**wo¦rd**', 'italic', '***wo¦rd***'],
  ['***¦word***', 'italic', '**¦word**'],
  ['*¦word*', 'bold', '***¦word***'],
  ['**¦word**', 'bold', '¦word'],
  ['***¦word***', 'bold', '*¦word*'],
  ['***¦word* 1**', 'italic', '**¦word 1**'],
  ['**two¦ words**', 'bold', 'two¦ words'],
  ['__wo¦rd__', 'bold', 'wo¦rd'],
  ['`wo¦rd`', 'code', 'wo¦rd'],
  ['a `b¦c` d', 'bold', 'a **`b¦c`** d'],
])('in %s, toggling %s results in %s', (text, mark, expected) => {
  expect(toggled(text, mark)).toBe(expected);
});

test.each(inlineMarks)('%s again ends the marked text', (mark) => {
  const toggle = toggleMark(mark);
  const marks = characters[mark];
  for (const words of ['bold', 'two words', 'ends.', 'größer']) {
    const typed = run(stateOf('a ¦'), toggle, type(words), toggle, type(' b'));
    expect(textOf(typed)).toBe(`a ${marks}${words}${marks} b¦`);
  }
  const withSpace = run(stateOf('- ¦'), toggle, type('one '), toggle, type('two'));
  if (mark !== 'code') expect(textOf(withSpace)).toBe(`- ${marks}one${marks} two¦`);
});

test.each(inlineMarks)('%s again undoes itself', (mark) => {
  const toggle = toggleMark(mark);
  for (const text of [
    '¦',
    'a ¦',
    'word¦',
    'wo¦rd',
    'a\n¦',
    '- ¦',
    '> ¦\nb',
    'a <b c¦ d',
    'x <y\nz¦',
  ]) {
    expect(textOf(run(stateOf(text), toggle, toggle)), text).toBe(text);
  }
  const emptied = run(stateOf(`a ${characters[mark]}¦${characters[mark]}`), toggle);
  expect(textOf(emptied)).toBe('a ¦');
});

test('after the marked text was left, the mark continues it', () => {
  const bold = toggleMark('bold');
  expect(textOf(run(stateOf('**word**¦'), bold, type('s')))).toBe('**words¦**');
  expect(textOf(run(stateOf('¦**word**'), bold, type('s')))).toBe('**s¦word**');
});

test('marks within each other end one by one', () => {
  const [bold, italic, code] = [toggleMark('bold'), toggleMark('italic'), toggleMark('code')];
  const both = run(stateOf('¦'), bold, italic, type('a'), italic, type(' b'), bold, type(' c'));
  expect(textOf(both)).toBe('***a* b** c¦');
  const other = run(stateOf('¦'), bold, italic, type('a'), bold, type(' b'), italic, type(' c'));
  expect(textOf(other)).toBe('***a** b* c¦');
  const inCode = run(stateOf('¦'), bold, type('a '), code, type('b'), code, type(' c'), bold);
  expect(textOf(inCode)).toBe('**a `b` c**¦');
});

test.each<[string, InlineMark, string]>([
  ['a <two words¦ b', 'bold', 'a **<two words¦** b'],
  ['a ¦two words< b', 'bold', 'a **¦two words<** b'],
  ['a< two ¦ b', 'bold', 'a< **two** ¦ b'],
  ['a **<two words¦** b', 'bold', 'a <two words¦ b'],
  ['a <**two words**¦ b', 'bold', 'a <two words¦ b'],
  ['**one <two¦ three**', 'bold', '**one** <two¦ **three**'],
  ['**<one¦ two**', 'bold', '<one¦ **two**'],
  ['a <b **c¦ d** e', 'bold', 'a **<b c¦ d** e'],
  ['**a**< b¦', 'bold', '**a**< **b¦**'],
  ['*one <two* three¦', 'bold', '***one <two* three¦**'],
  ['<one\ntwo¦', 'bold', '**<one**\n**two¦**'],
  ['<**one**\n**two**¦', 'bold', '<one\ntwo¦'],
  ['<- one\n- two\n\n## three\n> four¦', 'italic', '<- *one*\n- *two*\n\n## *three*\n> *four¦*'],
  [
    '<| a | b |\n|---|---|\n| c | d \\| e |¦',
    'bold',
    '<| **a** | **b** |\n|---|---|\n| **c** | **d \\| e** |¦',
  ],
  ['a <`b`¦ c', 'bold', 'a **<`b`¦** c'],
  ['a `b<c¦d` e', 'bold', 'a **`b<c¦d`** e'],
  ['a <b`c¦ d', 'code', 'a ``<b`c¦`` d'],
  ['<one\ntwo¦\n', 'code', '```\n<one\ntwo¦\n```\n'],
  ['```\n<one\ntwo¦\n```\n', 'code', '<one\ntwo¦\n'],
  ['```\none¦\n```', 'code', 'one¦'],
  ['```\none¦\n```', 'bold', '```\none¦\n```'],
  ['< ¦', 'bold', '< ¦'],
])('of the selection in %j, toggling %s results in %j', (text, mark, expected) => {
  expect(toggled(text, mark)).toBe(expected);
});

test.each([
  ['a ¦', 'a [¦](https://)'],
  ['a\n¦', 'a\n[¦](https://)'],
  ['wo¦rd', '[wo¦rd](https://)'],
  ['a <two words¦ b', 'a [two words](<https://¦) b'],
  ['<https://example.com/¦', '[¦](https://example.com/)'],
  ['<one\n\ntwo¦', '[one](<https://¦)\n\ntwo'],
  ['[words¦](https://)', '[words](<https://¦)'],
  ['[words](<https://¦)', '[words](https://)¦'],
  ['```\na¦\n```', '```\na¦\n```'],
])('a link in %j results in %j', (text, expected) => {
  expect(textOf(run(stateOf(text), insertLink))).toBe(expected);
});

test('the words and then the URL of a link can be typed', () => {
  const typed = run(
    stateOf('See ¦'),
    insertLink,
    type('our guide'),
    insertLink,
    type('https://example.com/'),
    insertLink,
    type('.'),
  );
  expect(textOf(typed)).toBe('See [our guide](https://example.com/).¦');
  expect(textOf(run(stateOf('a ¦'), insertLink, insertLink))).toBe('a ¦');
});
