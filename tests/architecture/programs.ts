import { type Program, parseSync } from 'oxc-parser';
import type { SourceFile } from './sources.ts';

/** An .astro file has one program between its fences and one in each script. */
export const programsOf = ({ path, source }: SourceFile): Program[] =>
  (path.endsWith('.astro') ? scriptsOfAstro(source) : [source]).map((text) => {
    const { program, errors } = parseSync(path.replace(/\.astro$/, '.ts'), text);
    // A top-level `return` in a page is an error, but the program is still parsed.
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
