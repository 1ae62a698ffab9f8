import { expect, test } from 'vitest';
import { withWholeUrls } from './escape-markdown.ts';

test('underscores are escaped in words, but not in bare URLs', () => {
  const escapeText = withWholeUrls((text) => text.replaceAll('_', '\\_'));
  expect(
    escapeText('my_kit of https://github.com/acme/my_kit and www.my_kit.example/a_b, or _x_'),
  ).toBe('my\\_kit of https://github.com/acme/my_kit and www.my_kit.example/a_b, or \\_x\\_');
});
