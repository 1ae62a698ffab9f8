import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../architecture/sources.ts';
import { comparison, notMeasured, perSecond } from '../row.ts';
import { peerSuites, suites } from '../suites.ts';
import { format } from './document.ts';
import { replaceSection, sectionOf, tableOf } from './section.ts';

const documentWith = (...sections: string[]) =>
  ['# Performance', ...sections, 'The end.'].join('\n\n');
const serving = '<!-- pnpm bench serving -->\n\nold\n\n<!-- end -->';
const search = '<!-- pnpm bench search -->\n\nold as well\n\n<!-- end -->';

describe('a section of docs/performance.md', () => {
  it('is replaced without changing anything else', () => {
    const document = documentWith(serving, 'By hand.', search);

    const replaced = replaceSection(document, 'serving', 'new');

    expect(replaced).toBe(
      documentWith('<!-- pnpm bench serving -->\n\nnew\n\n<!-- end -->', 'By hand.', search),
    );
    expect(replaceSection(replaced, 'serving', 'old')).toBe(document);
  });

  it.each([
    ['is missing', documentWith(search)],
    ['appears twice', documentWith(serving, serving)],
    ['has no end', documentWith('<!-- pnpm bench serving -->\n\nold')],
    ['has no end before the next', documentWith('<!-- pnpm bench serving -->\n\nold', search)],
  ])('is not replaced if it %s', (_, document) => {
    expect(() => replaceSection(document, 'serving', 'new')).toThrow(
      'docs/performance.md needs the line',
    );
  });

  it('exists for each suite, in the format that the benchmark writes', () => {
    const document = readFileSync(join(root, 'docs/performance.md'), 'utf8');
    for (const { name } of [...suites, ...peerSuites]) {
      expect(replaceSection(document, name, 'new')).not.toBe(document);
    }
    expect(format(document)).toBe(document);
  });
});

describe('the table of a suite', () => {
  it('shows each figure next to those of its peers', () => {
    const rows = [
      {
        what: 'a page',
        measured: '250/s',
        aim: '≥ 25 %',
        comparisons: [
          comparison('nginx', 250, 1_000, perSecond),
          comparison('Caddy', 250, 20, perSecond),
          notMeasured('Hugo', 'hugo | is\nnot installed'),
        ],
      },
      { what: 'memory', measured: '1 MB' },
    ];
    expect(tableOf(rows).split('\n')).toEqual([
      '| what | measured | aim | compared with | its figure | ratio |',
      '| --- | --- | --- | --- | --- | --- |',
      '| a page | 250/s | ≥ 25 % | nginx | 1,000/s | 25 % |',
      '|  |  |  | Caddy | 20/s | 12.5 × |',
      '|  |  |  | Hugo | not measured: hugo \\| is not installed |  |',
      '| memory | 1 MB |  |  |  |  |',
    ]);
  });

  it('leaves out the columns of comparisons if there are none', () => {
    const section = sectionOf('Today.', [{ what: 'memory', measured: '1 MB', aim: '≤ 2 MB' }]);
    expect(section).toBe(
      'Today.\n\n| what | measured | aim |\n| --- | --- | --- |\n| memory | 1 MB | ≤ 2 MB |',
    );
  });
});
