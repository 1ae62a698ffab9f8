import { createRequire } from 'node:module';
import { Visitor } from 'oxc-parser';
import { programsOf } from './programs.ts';
import { safeExpressions } from './safe-expressions.ts';
import { isTest, type SourceFile } from './sources.ts';

// JavaScript instead of the native build: the same result everywhere.
process.env['RECHECK_BACKEND'] = 'pure';
const { checkSync } = createRequire(import.meta.url)('recheck') as typeof import('recheck');

interface Found {
  path: string;
  pattern: string;
  flags: string;
}

/**
 * Expressions that are built at run time: for each file, the patterns that can result. They are
 * listed by hand, so that a new one is a deliberate decision.
 */
const composed: Readonly<Record<string, readonly [pattern: string, flags: string][]>> = {
  'packages/contract/src/clean-text.ts': [
    [
      '(?![\\p{Cf}])(\\u{1f3f4}[\\u{e0061}-\\u{e007a}]{4,5}\\u{e007f}|\\p{So}[\\u{fe0f}\\p{Sk}]?(?:\\u{200d}\\p{So}[\\u{fe0f}\\p{Sk}]?)*|[#*\\d]\\u{fe0f}\\u{20e3}|\\p{Script=Han}[\\u{fe00}-\\u{fe02}]|[\\u{600}-\\u{109f}][\\u{200c}\\u{200d}](?=[\\u{600}-\\u{109f}])(?![\\p{Cf}])|\\u{d4d}\\u{200d})|[\\p{Cf}]',
      'gu',
    ],
    ['[\\p{Zs}\\p{Cc}]+', 'gu'],
    ['[^\\p{Zs}\\p{Cc}]', 'u'],
  ],
  'apps/api/src/server/methods.ts': [['^/api/posts/[^/]+/delete/[^/]+$', '']],
  'apps/api/src/accounts/profile/usernames.ts': [
    ['^[\\p{scx=Latin}\\p{scx=Han}\\p{scx=Common}]+$', 'u'],
  ],
  'apps/api/src/blog/search/search-words.ts': [
    ['[\\p{L}\\p{N}\\p{Co}]+(?:[\\p{M}\\u200b]+[\\p{L}\\p{N}\\p{Co}]+){0,7}\\p{M}*', 'gu'],
    // A word of two letters, a word of two tokens, and the beginning of a word.
    ...[
      'a[\\u0300-\\u0331]*b',
      'a[^\\p{L}\\p{N}\\p{Co}]+b',
      'ab[\\p{L}\\p{N}\\p{Co}\\u0300-\\u0331]*',
    ].map((words): [string, string] => [
      `(?<![\\p{L}\\p{N}\\p{Co}\\u0300-\\u0331])(?:${words})(?![\\u0300-\\u0331]*[\\p{L}\\p{N}\\p{Co}])\\p{M}*`,
      'gu',
    ]),
  ],
};

/** Not run in the server, but in a process with a time limit. */
const converters = 'apps/api/src/blog/transfer/convert/';

/** Code that processes text from visitors and authors. */
const isProduct = ({ path }: SourceFile): boolean =>
  /^(?:apps|packages)\//.test(path) &&
  !isTest(path) &&
  !path.startsWith('packages/tasks/') &&
  !path.startsWith(converters);

function expressionsOf(file: SourceFile): Found[] {
  const { path } = file;
  const found: Found[] = [];
  const construct = (callee: unknown, [first, second]: readonly unknown[]): void => {
    if ((callee as { name?: string }).name !== 'RegExp') return;
    const [pattern, flags] = [first, second].map((node) => (node as { value?: unknown })?.value);
    if (typeof pattern === 'string') {
      found.push({ path, pattern, flags: typeof flags === 'string' ? flags : '' });
      return;
    }
    const known = composed[path];
    if (!known) throw new Error(`${path} builds a RegExp at run time: list its patterns here`);
    for (const [source, its] of known) found.push({ path, pattern: source, flags: its });
  };
  for (const program of programsOf(file)) {
    new Visitor({
      Literal(node) {
        if ('regex' in node && node.regex) found.push({ path, ...node.regex });
      },
      NewExpression: (node) => construct(node.callee, node.arguments),
      CallExpression: (node) => construct(node.callee, node.arguments),
    }).visit(program);
  }
  return found;
}

/** True if it has at most one unbounded repetition, at a fixed position. */
function isPlainlyLinear(pattern: string): boolean {
  const bare = pattern.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
  const endless = bare.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  return endless === 0 || (endless === 1 && bare.startsWith('^') && !bare.includes('|'));
}

/** Without timeouts, only limits on steps apply, so a busy machine gets the same result. */
const withoutClock = { timeout: null, attackTimeout: null, incubationTimeout: null };

interface Judgment {
  superLinear: string[];
  /** Expressions that recheck found safe, in this run or an earlier one. */
  safe: string[];
}

export function judgeExpressions(files: readonly SourceFile[]): Judgment {
  const paths = new Map<string, Found>();
  for (const found of files.filter(isProduct).flatMap(expressionsOf)) {
    if (isPlainlyLinear(found.pattern)) continue;
    paths.set(`/${found.pattern}/${found.flags}`, found);
  }
  const known = safeExpressions();
  const judgment: Judgment = { superLinear: [], safe: [] };
  for (const [text, { path, pattern, flags }] of paths) {
    const found = known.has(text)
      ? { status: 'safe' as const }
      : checkSync(pattern, flags, { ...withoutClock, randomSeed: 1 });
    if (found.status === 'safe') {
      judgment.safe.push(text);
      continue;
    }
    const what = found.status === 'vulnerable' ? found.complexity.summary : 'cannot be judged';
    judgment.superLinear.push(`${path}: ${text} (${what})`);
  }
  return judgment;
}
