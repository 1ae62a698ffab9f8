import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

export interface MarkdownFile {
  /** Null if there is none. */
  values: Readonly<Record<string, unknown>> | null;
  /** After the front matter and one empty line, without the last line feed. */
  text: string;
}

const maxLength = 65_536;

const fences: Readonly<Record<string, (text: string) => unknown>> = {
  '---': (text) => parseYaml(text, { maxAliasCount: 100 }),
  '+++': (text) => parseToml(text),
};

/**
 * Reads front matter in YAML (`---`) or TOML (`+++`).
 * @throws an error whose message says what is wrong
 */
export function readFrontMatter(file: string): MarkdownFile {
  const text = file.replace(/^\uFEFF/, '');
  const fence = /^(---|\+\+\+)[ \t]*\r?\n/.exec(text);
  const parse = fences[fence?.[1] ?? ''];
  if (!fence?.[1] || !parse) return { values: null, text };
  const begin = fence[0].length;
  const end = findEnd(text, fence[1], begin);
  if (end === null) return { values: null, text };
  const head = text.slice(begin, end.at);
  if (head.length > maxLength) {
    throw new Error(
      `its front matter is longer than ${maxLength.toLocaleString('en-US')} characters`,
    );
  }
  const values = parseHead(parse, head);
  return {
    values,
    text: text
      .slice(end.after)
      .replace(/^\r?\n/, '')
      .replace(/\r?\n$/, ''),
  };
}

function parseHead(parse: (text: string) => unknown, head: string): Record<string, unknown> {
  let values: unknown;
  try {
    values = parse(head);
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    throw new Error(`its front matter cannot be read (${reason.replace(/[:.]$/, '')})`);
  }
  if (values === null) return {};
  if (typeof values === 'object' && !Array.isArray(values)) return { ...values };
  throw new Error('its front matter is not a list of fields');
}

function findEnd(text: string, fence: string, begin: number): { at: number; after: number } | null {
  for (let at = begin; at < text.length; ) {
    const lineEnd = text.indexOf('\n', at);
    const after = lineEnd < 0 ? text.length : lineEnd + 1;
    if (text.slice(at, after).trimEnd() === fence) return { at, after };
    at = after;
  }
  return null;
}
