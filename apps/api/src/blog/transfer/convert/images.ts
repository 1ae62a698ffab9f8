import { outsideCode } from './outside-code.ts';

const image = /(!\[(?:\\.|[^\]\\])*\]\(<?)([^\s()<>]+)/g;

export function imagesOf(markdown: string): string[] {
  const urls = new Set<string>();
  outsideCode(markdown, (part) => {
    for (const [, , url = ''] of part.matchAll(image)) urls.add(url);
    return part;
  });
  return [...urls];
}

export const withImages = (markdown: string, paths: Readonly<Record<string, string>>): string =>
  outsideCode(markdown, (part) =>
    part.replace(image, (whole, begin, url) =>
      Object.hasOwn(paths, url) ? `${begin}${paths[url]}` : whole,
    ),
  );
