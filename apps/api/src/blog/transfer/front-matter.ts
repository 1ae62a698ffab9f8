import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

export interface MarkdownFile {
  /** Null if there is no front matter, or if it cannot be read. */
  values: Readonly<Record<string, unknown>> | null;
  /** Why the front matter cannot be read. */
  problem?: string;
  /** After the front matter and one empty line, without the last line feed. */
  text: string;
}

const maxLength = 65_536;

type Parse = (text: string) => unknown;

/** With `<<`, as Jekyll and Hexo read it. */
const yaml: Parse = (text) =>
  parseYaml(text, { maxAliasCount: 100, merge: true, logLevel: 'error' });

/** By the first line; `---toml` and the like are those of Eleventy. */
const formats: Readonly<Record<string, { ends: readonly string[]; parse: Parse }>> = {
  '---': { ends: ['---', '...'], parse: yaml },
  '---yaml': { ends: ['---', '...'], parse: yaml },
  '---json': { ends: ['---'], parse: JSON.parse },
  '---toml': { ends: ['---'], parse: parseToml },
  '+++': { ends: ['+++'], parse: parseToml },
};

/** Reads front matter in YAML, TOML or JSON. */
export function readFrontMatter(file: string): MarkdownFile {
  const text = file.replace(/^\uFEFF?\s*(?=---|\+\+\+|\{)/, '').replace(/^\uFEFF/, '');
  const found = text.startsWith('{') ? jsonHead(text) : fencedHead(text);
  if (!found) return { values: null, text };
  const { head, after, parse } = found;
  const rest = text
    .slice(after)
    .replace(/^\r?\n/, '')
    .replace(/\r?\n$/, '');
  return { ...parseHead(parse, head), text: rest };
}

/** Parses a file of settings, by the end of its name. */
export function parseSettings(name: string, text: string): Omit<MarkdownFile, 'text'> {
  const parse = name.endsWith('.toml') ? parseToml : name.endsWith('.json') ? JSON.parse : yaml;
  return parseHead(parse, text.replace(/^\uFEFF/, ''));
}

function parseHead(parse: Parse, head: string): Omit<MarkdownFile, 'text'> {
  if (head.length > maxLength) {
    const most = maxLength.toLocaleString('en-US');
    return { values: null, problem: `it is longer than ${most} characters` };
  }
  try {
    const values = parse(head);
    if (values === null) return { values: {} };
    if (typeof values === 'object' && !Array.isArray(values)) return { values: { ...values } };
    return { values: null, problem: 'it is not a list of fields' };
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    return { values: null, problem: reason.replace(/[:.]$/, '') };
  }
}

interface Head {
  head: string;
  parse: Parse;
  /** Where the text begins. */
  after: number;
}

function fencedHead(text: string): Head | null {
  const fence = /^((?:---|\+\+\+)[a-z]*)[ \t]*\r?\n/.exec(text);
  if (!fence?.[1]) return null;
  const format = formats[fence[1]] ?? { ends: ['---'], parse: unknownFormat };
  const begin = fence[0].length;
  for (let at = begin; at < text.length; ) {
    const lineEnd = text.indexOf('\n', at);
    const after = lineEnd < 0 ? text.length : lineEnd + 1;
    if (format.ends.includes(text.slice(at, after).trimEnd())) {
      return { head: text.slice(begin, at), after, parse: format.parse };
    }
    at = after;
  }
  return null;
}

function unknownFormat(): never {
  throw new Error('it has an unknown format');
}

/** An object at the start of the file. */
function jsonHead(text: string): Head | null {
  const end = endOfObject(text);
  if (end === null) return null;
  const head = text.slice(0, end);
  const lineEnd = text.indexOf('\n', end);
  const after = lineEnd < 0 ? text.length : lineEnd + 1;
  // Otherwise it is a text that begins with a brace, such as a template tag.
  const isAlone = /^[;\s]*$/.test(text.slice(end, after));
  return isAlone && /^\{\s*["}]/.test(head) ? { head, after, parse: JSON.parse } : null;
}

function endOfObject(text: string): number | null {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') isInString = !isInString;
    else if (character === '\\' && isInString) index += 1;
    else if (character === '{' && !isInString) depth += 1;
    else if (character === '}' && !isInString) depth -= 1;
    if (depth === 0) return index + 1;
  }
  return null;
}
