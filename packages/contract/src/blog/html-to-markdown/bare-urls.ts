import type { Link, Parents, Text } from 'mdast';
import { defaultHandlers, type Info, type State } from 'mdast-util-to-markdown';
import { withoutPunctuation } from '../bare-url.ts';

/** What the renderer of posts links. */
const bareUrl = /(?:https?:\/\/|www\.)[a-z\d][^\s<\]`]*/gi;

/** Where the renderer looks for a URL: at the start of a text, and after a space or a bracket. */
const canPrecede = /^$|[\s(]/;
const canFollow = /^$|[\s<\]`?!.,:;'")]/;
const mark = /[*_~]/;
const reference = /&#?\w+;/;
const marks = new Set(['strong', 'emphasis', 'strikethrough']);

/** Writes text without escapes in its URLs, because they would become part of the link. */
export function writeText(
  node: Text,
  parent: Parents | undefined,
  state: State,
  info: Info,
): string {
  const isInLink = state.stack.includes('link') || state.stack.includes('autolink');
  if (isInLink || node.value.search(bareUrl) === -1) {
    return defaultHandlers.text(node, parent, state, info);
  }
  const written: string[] = [];
  let position = 0;
  const write = (part: string, end: number) => {
    if (part !== '') written.push(part);
    position = end;
  };
  const writeUpTo = (end: number, after: string) => {
    const before = written.at(-1)?.slice(-1) ?? info.before;
    const part = node.value.slice(position, end);
    write(part === '' ? '' : state.safe(part, { ...info, before, after }), end);
  };
  for (const { 0: found, index } of node.value.matchAll(bareUrl)) {
    const url = withoutPunctuation(found);
    const end = index + url.length;
    writeUpTo(index, url.charAt(0));
    const before = node.value.charAt(index - 1);
    if (canPrecede.test(before) && !reference.test(url)) {
      write(writeUrl(url, node.value.charAt(end) || (info.after ?? ''), state), end);
    } else if (/^$|[!-/:-@[-`{-~\s]/.test(before)) {
      // With an escape, it is no link: a mark before it would make it one.
      const [start = ''] = /^(?:https?|www)/i.exec(url) ?? [];
      write(`${start}\\`, index + start.length);
    }
  }
  writeUpTo(node.value.length, info.after);
  return written.join('');
}

function writeUrl(url: string, next: string, state: State): string {
  const isMarked = state.stack.some((name) => marks.has(name)) && mark.test(url);
  const needsBrackets = isMarked || !canFollow.test(next);
  if (needsBrackets && /^https?:[^<>|]*$/i.test(url)) return `<${url}>`;
  return state.stack.includes('tableCell') ? url.replaceAll('|', '\\|') : url;
}

/** Writes a link whose text is its URL as a bare URL, where the renderer links it. */
export const writeLink = Object.assign(
  (node: Link, parent: Parents | undefined, state: State, info: Info): string => {
    const isBare = textOfUrl(node) !== null && /^$|[\s(]/.test(info.before);
    return isBare
      ? writeUrl(node.url, info.after, state)
      : defaultHandlers.link(node, parent, state, info);
  },
  { peek: (node: Link) => (textOfUrl(node) === null ? '[' : '<') },
);

function textOfUrl({ url, title, children }: Link): string | null {
  const [text] = children;
  const isText = children.length === 1 && text?.type === 'text' && text.value === url && !title;
  return isText &&
    !reference.test(url) &&
    /^https?:\/\/[a-z\d][^\s<\]`]*$/i.test(url) &&
    withoutPunctuation(url) === url
    ? url
    : null;
}
