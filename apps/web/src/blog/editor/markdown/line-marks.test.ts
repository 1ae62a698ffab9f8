import { expect, test } from 'vitest';
import { type LineMark, toggleLines } from './line-marks.ts';
import { run, stateOf, textOf, type } from './text-with-cursor.ts';

const toggled = (text: string, mark: LineMark): string =>
  textOf(run(stateOf(text), toggleLines(mark)));

const written = { heading: '## ', bullets: '- ', numbers: '1. ', quote: '> ' };
const marks = Object.keys(written) as LineMark[];

test.each(marks)('what is typed after %s comes after its mark', (mark) => {
  const start = written[mark];
  const typed = (text: string) => textOf(run(stateOf(text), toggleLines(mark), type('XYZ')));
  expect(typed('¦')).toBe(`${start}XYZ¦`);
  expect(typed('a\n\n¦\n\nb')).toBe(`a\n\n${start}XYZ¦\n\nb`);
  expect(typed('¦word')).toBe(`${start}XYZ¦word`);
  expect(typed('word¦')).toBe(`${start}wordXYZ¦`);
  expect(typed('wo¦rd')).toBe(`${start}woXYZ¦rd`);
});

test.each(marks)('%s again removes it', (mark) => {
  for (const text of ['¦', 'a¦', '¦a', 'a\n\n<b\nc¦\n\nd', '> ¦\n\na'].slice(
    0,
    mark === 'quote' ? 4 : 5,
  )) {
    const toggle = toggleLines(mark);
    expect(textOf(run(stateOf(text), toggle, toggle)), text).toBe(text);
  }
});

test.each<[string, LineMark, string]>([
  ['one\n\n<two\nthree¦\n\nfour', 'bullets', 'one\n\n- <two\n- three¦\n\nfour'],
  ['<one\n\ntwo¦', 'numbers', '1. <one\n\n2. two¦'],
  // Only the start of the last line is selected.
  ['<one\ntwo\n¦three', 'bullets', '- <one\n- two\n¦\nthree'],
  ['<one\n\ntwo¦', 'quote', '> <one\n> \n> two¦'],
  ['> <one\n>\n> two¦', 'quote', '<one\n\ntwo¦'],
  // One mark replaces another.
  ['- on¦e', 'heading', '## on¦e'],
  ['## on¦e', 'bullets', '- on¦e'],
  ['- [ ] on¦e', 'numbers', '1. [ ] on¦e'],
  ['- [x] on¦e', 'bullets', 'on¦e'],
  ['### on¦e', 'heading', 'on¦e'],
  // Lists can be nested, and in quotes.
  ['- one\n    - tw¦o', 'numbers', '- one\n    1. tw¦o'],
  ['- one\n    - tw¦o', 'heading', '- one\n## tw¦o'],
  ['> on¦e', 'bullets', '> - on¦e'],
  ['> on¦e', 'heading', '> ## on¦e'],
  ['- on¦e', 'quote', '> - on¦e'],
  ['1. one\n¦', 'numbers', '1. one\n2. ¦'],
  // A line after a list or a quote would belong to it.
  ['on¦e\ntwo', 'bullets', '- on¦e\n\ntwo'],
  ['¦\ntwo', 'quote', '> ¦\n\ntwo'],
  ['- one\n- tw¦o\n- three', 'bullets', '- one\n\ntw¦o\n\n- three'],
  ['on¦e\ntwo', 'heading', '## on¦e\ntwo'],
  ['```\non¦e\n```', 'heading', '```\non¦e\n```'],
])('in %j, toggling %s results in %j', (text, mark, expected) => {
  expect(toggled(text, mark)).toBe(expected);
});
