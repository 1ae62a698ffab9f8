import { describe, expect, it } from 'vitest';
import { strayEnvironment } from './settings.ts';
import { sourceFiles } from './sources.ts';

describe('the environment', () => {
  it('is read where it is parsed, and nowhere else', () => {
    expect(strayEnvironment(sourceFiles)).toEqual([]);
  });

  it.each([
    'const port = process.env.PORT;',
    "const port = process['env']['PORT'];",
    'const { env } = process;',
    'const { env: all } = globalThis.process;',
    'const port = globalThis.process.env.PORT;',
    "import { env } from 'node:process';",
    "import { env as all } from 'process';",
    "import process from 'node:process'; const all = process.env;",
  ])('is read by %s', (source) => {
    expect(strayEnvironment([{ path: 'apps/api/src/blog/blog.ts', source }])).toHaveLength(1);
  });

  it.each([
    ['apps/api/src/env.ts', 'export const read = () => process.env;'],
    ['tests/e2e/app.ts', 'export const all = { ...process.env };'],
    ['apps/api/src/main.ts', "process.on('SIGTERM', stop); const { pid } = process;"],
    ['apps/api/src/main.ts', "// process.env is env.ts's\nconst text = 'process.env';"],
  ])('may be, or is not, read in %s with %s', (path, source) => {
    expect(strayEnvironment([{ path, source }])).toEqual([]);
  });
});
