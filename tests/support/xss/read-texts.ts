import type { ServedPage } from './find-hostile.ts';

/**
 * Reads the texts of a post from each page. Runs in the browser, so it uses nothing from outside.
 * @param pages null for the open document
 */
export function readTexts(pages: readonly ServedPage[] | null) {
  const documents = pages?.map(({ html }) => new DOMParser().parseFromString(html, 'text/html'));
  const onOneLine = (text: string | null | undefined): string =>
    (text ?? '').replace(/\s+/g, ' ').trim();
  return (documents ?? [document]).map((page) => {
    const textsOf = (selector: string): string[] =>
      Array.from(page.querySelectorAll(selector), ({ textContent }) => onOneLine(textContent));
    const images = Array.from(page.querySelectorAll<HTMLImageElement>('.post-body img'));
    return {
      heading: onOneLine(page.querySelector('h1')?.textContent),
      description: onOneLine(page.querySelector('meta[name=description]')?.getAttribute('content')),
      paragraphs: textsOf('.post-body > p'),
      codes: textsOf('.post-body pre'),
      alts: images.map(({ alt }) => onOneLine(alt)),
      captions: textsOf('.post-body figcaption'),
      tags: textsOf('article ul[aria-label] li'),
      covers: Array.from(page.querySelectorAll('.cover-frame img'), (image) =>
        image.getAttribute('src'),
      ),
    };
  });
}
