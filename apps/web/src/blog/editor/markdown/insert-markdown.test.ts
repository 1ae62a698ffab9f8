import { expect, test } from 'vitest';
import { insertMarkdown, isMarkdownBlocks } from './insert-markdown.ts';
import { apply, stateOf } from './text-with-cursor.ts';

test.each([
  // In a line
  ['a¦b', 'one **two**', 'aone **two**¦b'],
  ['- a¦', 'b\nc', '- ab\nc¦'],
  // After a list item
  ['- a¦', '## B', '- a\n\n## B¦'],
  ['- a ¦', 'b\n\nc', '- a\n\nb\n\nc¦'],
  ['- a¦\n- z', '- b\n- c', '- a\n- b\n- c¦\n- z'],
  ['    - a¦', '- b\n    - c', '    - a\n    - b\n        - c¦'],
  ['- a¦', '1. b', '- a\n\n1. b¦'],
  ['1. a¦', '1. b\n2. c', '1. a\n1. b\n2. c¦'],
  ['- a¦', '> b', '- a\n\n> b¦'],
  ['- a¦', '```\nb\n```', '- a\n\n```\nb\n```¦'],
  ['- a¦\nb', '| c |\n| - |', '- a\n\n| c |\n| - |¦\n\nb'],
  ['- a\n¦', '## B', '- a\n\n## B¦'],
  ['- a\n¦', '- b', '- a\n- b¦'],
  ['- a\n\n¦\n\nb', '## B', '- a\n\n## B¦\n\nb'],
  // In an empty item
  ['- a\n- ¦', '- b\n- c', '- a\n- b\n- c¦'],
  ['- a\n- ¦', '## B', '- a\n\n## B¦'],
  ['- ¦b', '- a', '- a¦\n- b'],
  ['¦- c', '- a\n- b', '- a\n- b¦\n- c'],
  // Instead of everything
  ['<- a\n- b¦', '## C\n\nd', '## C\n\nd¦'],
  ['<> a\n> b¦', '- c\n- d', '- c\n- d¦'],
  ['<| a |\n| - |¦', '```\nb\n```', '```\nb\n```¦'],
  // In a paragraph
  ['a¦', '## B', 'a\n\n## B¦'],
  ['one ¦ two', '- a\n- b', 'one\n\n- a\n- b¦\n\ntwo'],
  ['¦a', '## B', '## B¦\n\na'],
  ['a\n¦\nb', '- c', 'a\n\n- c¦\n\nb'],
  ['a <b¦ c', '## D', 'a\n\n## D¦\n\nc'],
  ['# a¦', 'b\n\nc', '# a\n\nb\n\nc¦'],
  // In a quote
  ['> a¦', 'b\n\nc', '> a\n>\n> b\n> \n> c¦'],
  ['> ¦', '- b\n- c', '> - b\n> - c¦'],
  // In a table
  ['| a ¦ |\n| - |\n', 'b\n\nc', '| a b c¦ |\n| - |\n'],
])('in %j, %j results in %j', (text, markdown, expected) => {
  expect(apply(stateOf(text), insertMarkdown(stateOf(text), markdown))).toBe(expected);
});

test.each([
  ['- a\n- b', true],
  ['## A\n\nb', true],
  ['```\na\n```', true],
  ['a\n- b', false],
  ['- 5', false],
  ['one\n\ntwo', false],
])('whether the plain text %j needs its own lines: %s', (text, expected) => {
  expect(isMarkdownBlocks(text)).toBe(expected);
});
