import type { Card } from '@app/contract/pages';

const imageElement = /<meta property="og:image" content="[^"]*(\/cards\/[\da-f]+\.png)">/;
const titleElement = /<meta property="og:image:alt" content="([^"]*)">/;

/** The card that a finished page refers to; null when it has none, or a picture of its own. */
export const cardOf = (html: string): Card | null => {
  const path = imageElement.exec(html)?.[1];
  const title = titleElement.exec(html)?.[1];
  if (path === undefined || title === undefined) return null;
  return { path: detached(path), title: detached(unescaped(title)) };
};

/**
 * V8 keeps a part of a string as a view of the whole: without a copy, the records of ten
 * thousand pages would hold all their HTML in memory.
 */
const detached = (part: string): string => Buffer.from(part).toString();

const names: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** The text of an attribute as Astro writes it. */
const unescaped = (text: string): string =>
  text.replace(
    /&(?:#(\d+)|(\w+));/g,
    (all, number: string | undefined, name: string | undefined) =>
      number === undefined ? (names[name ?? ''] ?? all) : String.fromCodePoint(Number(number)),
  );
