import { expect, test } from 'vitest';
import { withoutStyles } from './without-styles.ts';

test.each([
  ['<p style="color:red">A</p>', '<p data-style="color:red">A</p>'],
  ["<p class=a style='color:red' id=b>A</p>", "<p class=a data-style='color:red' id=b>A</p>"],
  ['<p style=color:red>A</p>', '<p data-style=color:red>A</p>'],
  ['<b\nSTYLE = "font-weight:normal">A</b>', '<b data-style="font-weight:normal">A</b>'],
  ['<style>p { color: red }</style>A', '<template>p { color: red }</template>A'],
])('renames the styles of %j', (html, expected) => {
  expect(withoutStyles(html)).toBe(expected);
});

test.each([
  'Write &lt;p style="color:red"&gt; or set style = "x", then',
  '<p title="set style=\'x\' there">A</p>',
  '<a href="/?style=bold">A</a>',
  'a < b style="x" and c > d',
])('does not change text and other attributes: %s', (html) => {
  expect(withoutStyles(html)).toBe(html);
});
