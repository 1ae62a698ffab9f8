import { expect, it } from 'vitest';
import { plainExcerpt } from './plain-excerpt.ts';
import { excerptOf } from './posts.ts';

it.each([
  ['## One\n\nA **call** at *night*. [^1]', 'One A call at night.'],
  ['- [x] answered\n- [ ] booked\n1. first\n> said', 'answered booked first said'],
  ['See [the guide](https://example.com/a) and ![a van](/v.png).', 'See the guide and a van.'],
  ['Cut off in [a link](https://example.com/long', 'Cut off in a link'],
  ['```js\nconst a_b = 2 * 3;\n```\nAnd `code`.', 'const a_b = 2 * 3; And code.'],
  ['| Hour | Calls |\n| --- | ---: |\n| 8 | 12 |', 'Hour | Calls | 8 | 12 |'],
  ['__Loud__ and ~~gone~~ and ***both***.\n\n---\n\nEnd', 'Loud and gone and both. End'],
  ['Escaped \\*stars\\* and a\\_b', 'Escaped *stars* and a_b'],
  [
    '5 * 3 * 2, snake_case_name, R&D [sic], #1 and C++',
    '5 * 3 * 2, snake_case_name, R&D [sic], #1 and C++',
  ],
  ['R&amp;D &eacute; &#8212; \\&amp; &nosuch; &copy', 'R&D é — &amp; &nosuch; &copy'],
  ['[a &lt; b](/c) and `&lt;` but ``a ` &gt;``', 'a < b and &lt; but a ` &gt;'],
  ['```html\n&lt;b&gt;\n```\n&lt;', '&lt;b&gt; <'],
  ['\uFEFFText\0', 'Text'],
  ['', ''],
])('shows %j as %j', (markdown, plain) => {
  expect(plainExcerpt(markdown)).toBe(plain);
});

it('keeps the dots of an excerpt that was created from the content', () => {
  expect(plainExcerpt(excerptOf('## Pipes\n\nCall **us**\n'))).toBe('Pipes Call us...');
});
