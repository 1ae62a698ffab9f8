import { expect, test } from 'vitest';
import { renderBody } from './kept-bodies.ts';

test('a body is rendered the same the first time, again, and when it was forgotten in between', () => {
  const body = 'The **lamp** is on.';
  const first = renderBody(body);
  expect(first).toBe('<p>The <strong>lamp</strong> is on.</p>\n');
  expect(renderBody(body)).toBe(first);
  for (let index = 0; index < 100; index += 1) renderBody(`Another ${index}`);
  expect(renderBody(body)).toBe(first);
});
