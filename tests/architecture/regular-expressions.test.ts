import { describe, expect, it } from 'vitest';
import { judgeExpressions } from './regular-expressions.ts';
import { rememberSafe } from './safe-expressions.ts';
import { sourceFiles } from './sources.ts';

const file = (source: string) => [{ path: 'apps/api/src/blog/a.ts', source }];

describe('regular expressions', () => {
  it('run in linear time', { timeout: 600_000 }, () => {
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
  ])('are rejected: %s', (source) => {
    expect(judgeExpressions(file(source)).superLinear).toHaveLength(1);
  });

  it.each(['const a = /^[a-z]+(?:-[a-z]+)*$/;', 'const a = /[&<>"]/g;', 'const a = /\\s+/g;'])(
    'are accepted: %s',
    (source) => {
      expect(judgeExpressions(file(source)).superLinear).toEqual([]);
    },
  );

  it('are rejected when built at run time from unknown patterns', () => {
    expect(() => judgeExpressions(file('const a = (b) => new RegExp(b);'))).toThrow('at run time');
  });
});
