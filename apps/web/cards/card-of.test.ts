import { expect, test } from 'vitest';
import { cardOf } from './card-of.ts';

const page = (image: string, alt: string): string =>
  `<meta property="og:image" content="${image}"><meta property="og:image:alt" content="${alt}">`;

test('a card is found by its address, and its title is as it was written', () => {
  const html = page(
    'https://a.example/cards/0f.png',
    'Calls &#38; &#34;visits&#34; &lt;b&gt; &amp;c',
  );
  expect(cardOf(html)).toEqual({ path: '/cards/0f.png', title: 'Calls & "visits" <b> &c' });
});

test.each([
  ['a page without', '<title>Moved</title>'],
  ['a picture of its own', page('https://a.example/uploads/cover.png', 'Cover')],
])('%s has no card', (_what, html) => {
  expect(cardOf(html)).toBeNull();
});
