import type { Card } from '@app/contract/pages';

const imageElement = /<meta property="og:image" content="([^"]*)"/;
const cardPath = /\/cards\/[\da-f]+\.png$/;
const titleElement = /<meta property="og:image:alt" content="([^"]*)"/;

/**
 * The card that a page of the build refers to; null when it has none, or a picture of its own.
 * Pages that show what people write hand theirs over as data: see renderer/entry.ts.
 */
export const cardOf = (html: string): Card | null => {
  const [path] = cardPath.exec(imageElement.exec(html)?.[1] ?? '') ?? [];
  const title = titleElement.exec(html)?.[1];
  if (path === undefined || title === undefined) return null;
  return { path, title: unescaped(title) };
};

const names: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** The text of an attribute as Astro writes it. */
const unescaped = (text: string): string =>
  text.replace(
    /&(?:#(\d+)|(\w+));/g,
    (all, number: string | undefined, name: string | undefined) =>
      number === undefined ? (names[name ?? ''] ?? all) : String.fromCodePoint(Number(number)),
  );
