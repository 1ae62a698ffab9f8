import { expect, test } from 'vitest';
import { withoutStyles } from './without-styles.ts';

test.each([
  ['<p style="color:red">A</p>', '<p>A</p>'],
  ["<p class=a style='color:red' id=b>A</p>", '<p class=a id=b>A</p>'],
  ['<p style=color:red>A</p>', '<p>A</p>'],
  [
    '<span STYLE="font-weight:700; font-style: italic">A</span>',
    '<span data-italic="true" data-weight="bold">A</span>',
  ],
  ['<b\nstyle="font-weight:normal">A</b>', '<b data-weight="normal">A</b>'],
  [
    "<p style='text-indent:-18.0pt;mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>·</span>A</p>",
    '<p data-list-level="2"><span data-list-marker>·</span>A</p>',
  ],
  ['<style>p { color: red }</style>A', '<template>p { color: red }</template>A'],
])('removes the styles of %j', (html, expected) => {
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
