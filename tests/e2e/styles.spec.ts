import { expect, test } from '../support/pages-test.ts';

const classesIn = (html: string): Set<string> =>
  new Set(
    [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) => decode(names).split(/\s+/)),
  );

const decode = (attribute: string): string =>
  attribute
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&#38;', '&')
    .replaceAll('&amp;', '&');

const utilityLayers = (html: string): string[] =>
  html
    .split('@layer utilities{')
    .slice(1)
    .map((rest) => {
      let depth = 1;
      let end = 0;
      while (depth > 0 && end < rest.length) {
        if (rest[end] === '{') depth += 1;
        if (rest[end] === '}') depth -= 1;
        end += 1;
      }
      return rest.slice(0, end);
    });

const definedIn = (css: string): Set<string> =>
  new Set(
    [...css.matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name = '']) => name.replace(/\\(.)/g, '$1')),
  );

test('every page has one Tailwind stylesheet, with all utilities that its markup uses', async ({
  pages,
  request,
}) => {
  const read = await Promise.all(
    pages.map(async ({ path }) => {
      const html = await (await request.get(path)).text();
      const layers = utilityLayers(html);
      return {
        path,
        layers: layers.length,
        used: classesIn(html),
        defined: definedIn(layers.join('')),
      };
    }),
  );
  const utilities = new Set(read.flatMap(({ defined }) => [...defined]));
  expect(utilities.size).toBeGreaterThan(50);
  for (const { path, layers, used, defined } of read) {
    const missing = [...used].filter((name) => utilities.has(name) && !defined.has(name));
    expect({ path, layers, missing }).toEqual({ path, layers: 1, missing: [] });
  }
});
