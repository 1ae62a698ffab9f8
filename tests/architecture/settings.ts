import { type Expression, type Node, Visitor } from 'oxc-parser';
import { programsOf } from './imports.ts';
import { packageOf, type SourceFile } from './sources.ts';

/** Who may read the environment, and why it is not apps/api/src/env.ts that does. */
const readers: readonly { is: (path: string) => boolean; because: string }[] = [
  { is: (path) => path === 'apps/api/src/env.ts', because: 'it is the one place that parses it' },
  {
    is: (path) => ['apps/web/astro.config.ts', 'apps/web/src/middleware.ts'].includes(path),
    because: 'in development the site must be told where the API listens',
  },
  {
    is: (path) => ['packages/tasks', 'tests'].includes(packageOf(path)),
    because: 'they start the programs that have an environment',
  },
];

/** Files that read the environment and may not. */
export const strayEnvironment = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => !readers.some(({ is }) => is(path)))
    .filter(readsEnvironment)
    .map(({ path }) => `${path} reads the environment: a setting belongs in apps/api/src/env.ts`);

/** `process` and `globalThis.process`. */
const isProcess = (node: Expression): boolean =>
  (node.type === 'Identifier' && node.name === 'process') ||
  (node.type === 'MemberExpression' &&
    node.property.type === 'Identifier' &&
    node.property.name === 'process');

const isEnv = (node: Node): boolean =>
  (node.type === 'Identifier' && node.name === 'env') ||
  (node.type === 'Literal' && node.value === 'env');

const readsEnvironment = (file: SourceFile): boolean => {
  let reads = false;
  const visitor = new Visitor({
    MemberExpression: ({ object, property }) => {
      if (isProcess(object) && isEnv(property)) reads = true;
    },
    VariableDeclarator: ({ id, init }) => {
      if (init && isProcess(init) && id.type === 'ObjectPattern') {
        reads ||= id.properties.some((part) => part.type === 'Property' && isEnv(part.key));
      }
    },
    ImportDeclaration: ({ source, specifiers }) => {
      if (source.value !== 'node:process' && source.value !== 'process') return;
      reads ||= specifiers.some((part) => part.type === 'ImportSpecifier' && isEnv(part.imported));
    },
  });
  for (const program of programsOf(file)) visitor.visit(program);
  return reads;
};
