import { posix } from 'node:path';
import { type Program, parseSync, Visitor } from 'oxc-parser';
import type { SourceFile } from './sources.ts';

export interface Import {
  specifier: string;
  /** `import type` and `import('…').Type`: gone when the program runs. */
  isType: boolean;
}

/** The programs in a file: an .astro file has one between its fences and one in each script. */
export const programsOf = ({ path, source }: SourceFile): Program[] =>
  (path.endsWith('.astro') ? scriptsOfAstro(source) : [source]).map((text) => {
    const { program, errors } = parseSync(path.replace(/\.astro$/, '.ts'), text);
    // What cannot be read cannot be judged. (A page's `return` is an error that leaves a program.)
    if (errors.length > 0 && program.body.length === 0) {
      throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
    }
    return program;
  });

const scriptsOfAstro = (source: string): string[] => {
  const [fences = '', fenced = ''] = /^\s*---\r?\n([\s\S]*?)\r?\n---/.exec(source) ?? [];
  const scripts = source
    .slice(fences.length)
    .matchAll(/<script(?:\s[^>]*)?(?<!\/)>([\s\S]*?)<\/script>/g);
  return [fenced, ...[...scripts].map(([, text = '']) => text)].filter((text) => text.trim());
};

/** Everything a file imports by a fixed name, re-exports and `import()` included. */
export const importsOf = (file: SourceFile): Import[] =>
  programsOf(file).flatMap((program) => {
    const found: Import[] = [];
    for (const statement of program.body) {
      if (statement.type === 'ImportDeclaration') {
        found.push({
          specifier: statement.source.value,
          isType: statement.importKind === 'type',
        });
      }
      if (
        (statement.type === 'ExportNamedDeclaration' ||
          statement.type === 'ExportAllDeclaration') &&
        statement.source
      ) {
        found.push({
          specifier: statement.source.value,
          isType: statement.exportKind === 'type',
        });
      }
    }
    new Visitor({
      ImportExpression: ({ source }) => {
        if (source.type === 'Literal' && typeof source.value === 'string') {
          found.push({ specifier: source.value, isType: false });
        }
      },
      TSImportType: ({ source }) => found.push({ specifier: source.value, isType: true }),
    }).visit(program);
    return found;
  });

export const isRelative = (specifier: string): boolean => /^\.\.?(\/|$)/.test(specifier);

/** The path a relative import means, from the repository's top. */
export const target = (from: string, specifier: string): string =>
  posix.join(posix.dirname(from), specifier);

/** `@scope/name/deep` → `@scope/name`, `name/deep` → `name`. */
export const packageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
