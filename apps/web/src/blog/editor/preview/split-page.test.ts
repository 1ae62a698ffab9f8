import { expect, test } from 'vitest';
import { splitPage } from './split-page.ts';

const before = '<body><nav><p>Before</p></nav><article><div class="post-body mx-auto">';
const after = '</div><footer><p>After</p></footer></article></body>';

test.each([
  ['nothing', []],
  ['paragraphs', ['<p>One</p>\n', '<p>Two<br>lines, 1 &lt; 2</p>\n']],
  ['nested blocks', ['<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>\n', '<hr>\n', '<p>c</p>\n']],
  ['boxes and pictures', ['<ul>\n<li><input type="checkbox" disabled> a</li>\n</ul>\n']],
  [
    'captions',
    ['<figure><picture><source srcset="a"><img src="b"></picture></figure>', '<h2 id="x">H</h2>'],
  ],
])('splits a page with %s', (_what, blocks) => {
  const page = splitPage(before + blocks.join('') + after);
  expect(page).toEqual({ before, blocks, after });
});

test('does not split a page whose content is missing or not closed', () => {
  for (const html of ['<body><p>No post</p></body>', `${before}<p>Cut`]) {
    expect(splitPage(html)).toEqual({ before: html, blocks: [], after: '' });
  }
});
