import { readFileSync } from 'node:fs';
import { slugOf } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import { isFullRun } from '../full-run.ts';

const file = new URL('../../fixtures/xss-payloads.json', import.meta.url);

const all: readonly string[] = JSON.parse(readFileSync(file, 'utf8')).payloads.map(
  ({ text }: { text: string }) => text,
);

/** Short runs use every sixteenth payload: similar ones follow each other. */
export const payloads = isFullRun ? all : all.filter((_, index) => index % 16 === 0);

/** Single-line fields show a line feed as a space. */
export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Groups of payloads that fit into one title. A payload that is too long is alone, and gets cut. */
export function payloadsByTitle(): string[][] {
  const groups: string[][] = [];
  for (const payload of payloads) {
    const last = groups.at(-1);
    const fits = last && [...last, payload].join(' ').length <= limits.title;
    if (fits) last.push(payload);
    else groups.push([payload]);
  }
  return groups;
}

/** Commas separate tags. Names without letters and digits are refused. */
const tagNames: readonly string[] = payloads
  .map((payload) => onOneLine(payload.replace(/[,\p{Cc}]+/gu, ' ').slice(0, limits.tag)))
  .filter((name) => /[\p{L}\p{N}]/u.test(name));

/** As many per post as it can have. Names with the same slug would be one tag. */
export function tagsByPost(): string[][] {
  const posts: Map<string, string>[] = [];
  for (const name of tagNames) {
    const slug = slugOf(name);
    const post = posts.find((tags) => tags.size < limits.tags && !tags.has(slug));
    if (post) post.set(slug, name);
    else posts.push(new Map([[slug, name]]));
  }
  return posts.map((tags) => [...tags.values()]);
}

export function inGroups<T>(all: readonly T[], size: number): T[][] {
  const groups: T[][] = [];
  for (let start = 0; start < all.length; start += size)
    groups.push(all.slice(start, start + size));
  return groups;
}

/** A post can have 200 images. Each body has every 13th payload: similar ones follow each other. */
const bodies = isFullRun ? 13 : 2;

export const numbersByBody: readonly number[][] = Array.from({ length: bodies }, (_, body) =>
  payloads.flatMap((_payload, number) => (number % bodies === body ? [number] : [])),
);

/** An image with a payload as text and caption. A backquote would begin code. */
const imageWith = (line: string): string => {
  const text = line.replace(/[[\]]/g, '\\$&');
  return `![${text}](/icon-192.png "${line.replace(/[\\"]/g, '\\$&')}")`;
};

/**
 * Whether the payload stays as it is in the text of an image. There, code, links and character
 * references become what they say (CommonMark 2.5 and 6.4).
 */
export const canBeAlt = (payload: string): boolean =>
  !/`|\]\(|&[#\w]+;|<[a-z][a-z\d+.-]*:[^\s<>]*>/i.test(payload);

/** A payload in every Markdown construct, between paragraphs with its number. */
const inMarkdown = (payload: string, number: number): string => {
  const line = onOneLine(payload);
  const fence = '`'.repeat(
    Math.max(3, ...[...payload.matchAll(/`+/g)].map(([run]) => run.length + 1)),
  );
  return [
    `before ${number}`,
    payload,
    `between ${number}`,
    `### ${line}`,
    `![${line}](/icon-192.png "${line}")`,
    imageWith(line),
    `[${line}](https://example.com/${line})`,
    `- ${line}\n- [ ] ${line}`,
    `> ${line}`,
    `| ${line} |\n| --- |\n| ${line} |`,
    `\`${line}\` *${line}* **${line}** ~~${line}~~`,
    `${fence}${number % 2 ? 'html' : line.replaceAll('`', '')}\n${payload}\n${fence}`,
    `a[^${number}]\n\n[^${number}]: ${line}`,
    `after ${number}`,
  ].join('\n\n');
};

export const markdownBody = (numbers: readonly number[]): string =>
  numbers.map((number) => inMarkdown(payloads[number] ?? '', number)).join('\n\n');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const asText = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

/** First escaped, so that it arrives; then as markup, which can swallow what follows it. */
export const htmlBody = (payload: string): string => {
  const text = asText(payload);
  return [
    `<p>before ${text}</p>`,
    `<figure><img src="/icon-192.png" alt="${text}"><figcaption>${text}</figcaption></figure>`,
    `<h2>${text}</h2><p><a href="${text}" title="${text}">link</a></p>`,
    `<table><tr><th>${text}</th></tr><tr><td>${text}</td></tr></table>`,
    `<pre><code class="language-${text}">${text}</code></pre>`,
    `<p><img src="${text}" alt="a"><iframe src="${text}" title="${text}"></iframe></p>`,
    `<figure><img src="/icon-192.png" alt="${payload}"><figcaption>${payload}</figcaption></figure>`,
    `<p>${payload}</p>`,
    payload,
  ].join('\n');
};
