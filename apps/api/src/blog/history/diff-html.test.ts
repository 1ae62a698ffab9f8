import { expect, test } from 'vitest';
import { diffHtml } from './diff-html.ts';

const spoken = (text: string) => `<span class="sr-only">${text}</span>`;

test('marks changes with elements, and with words for screen readers', () => {
  expect(diffHtml('The old house.', 'The new house.')).toBe(
    `The <del>${spoken('[removed: ')}old${spoken(']')}</del><ins>${spoken('[added: ')}new${spoken(']')}</ins> house.`,
  );
});

test('shows line breaks that changed', () => {
  expect(diffHtml('a\nb', 'a\n\nb')).toContain('↵\n');
});

test('escapes texts', () => {
  const html = diffHtml('a <script>x</script>', 'b <script>&"x</script>');
  expect(html).not.toContain('<script');
  expect(html).toContain('&lt;');
  expect(diffHtml('<b>', '<b>')).toBe('&lt;b&gt;');
});

test('folds long unchanged parts', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `Line ${index}\n`);
  const [start, end] = [lines.slice(0, 10).join(''), lines.slice(10).join('')];
  const html = diffHtml(`${start}old\n${end}`, `${start}new\n${end}`);
  expect(html).toMatch(
    /^<details><summary>7 unchanged lines<\/summary><span>Line 0\n.*Line 6\n<\/span><\/details>Line 7\n/s,
  );
  expect(html).toMatch(/Line 12\n<details><summary>7 unchanged lines<\/summary><span>Line 13\n/s);
  expect(diffHtml('1\n2\n3\n4\na', '1\n2\n3\n4\nb')).not.toContain('details');
});
