import { describe, expect, it } from 'vitest';
import { judgeExpressions } from './regular-expressions.ts';
import { rememberSafe } from './safe-expressions.ts';
import { sourceFiles } from './sources.ts';

const file = (source: string) => [{ path: 'apps/api/src/blog/a.ts', source }];

describe('regular expressions', () => {
  it('take time in proportion to the text', { timeout: 600_000 }, () => {
    const { superLinear, safe } = judgeExpressions(sourceFiles);
    rememberSafe(safe);
    expect(superLinear).toEqual([]);
  });

  it.each([
    'const a = /\\/+$/;',
    'const a = /^\\s+|\\s+$/g;',
    "const a = new RegExp('(a+)+$');",
    "const a = RegExp('\\\\d+x', 'g');",
    'const a = /<style[^>]*>([\\s\\S]*?)<\\/style>/g;',
  ])('are refused with %s', (source) => {
    expect(judgeExpressions(file(source)).superLinear).toHaveLength(1);
  });

  it.each(['const a = /^[a-z]+(?:-[a-z]+)*$/;', 'const a = /[&<>"]/g;', 'const a = /\\s+/g;'])(
    'are taken with %s',
    (source) => {
      expect(judgeExpressions(file(source)).superLinear).toEqual([]);
    },
  );

  it('are rejected when their parts are not annotated', () => {
    expect(() => judgeExpressions(file('const a = (b) => new RegExp(b);'))).toThrow('put');
  });
});
