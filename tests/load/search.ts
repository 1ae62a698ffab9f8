import { join } from 'node:path';
import { storeBody } from '@app/api/src/blog/rendering/bodies.ts';
import { renderMarkdown } from '@app/api/src/blog/rendering/markdown.ts';
import { searchTextOf } from '@app/api/src/blog/rendering/search-text.ts';
import { createSearch } from '@app/api/src/blog/search/search.ts';
import { open } from '@app/db/open';
import { blogPosts } from '@app/db/schema/blog';
import { percentile } from '../support/percentile.ts';
import { ms, type Row } from './row.ts';
import { seed } from './seed.ts';

const posts = 10_000;

/** The seeded posts share almost all words, which is the worst case. */
const queries = [
  'phone',
  'number',
  'call 9999',
  'phone rings ladder caller',
  'what callers said on day 12',
  'the phone rings while you are',
  'phnoe rings',
  'calendra',
  'telehpone calendar',
  'xylophone',
  // Begins like a word but is not a typo of one, so that everything is looked up.
  'calendwxyz',
  'ca',
];

export async function measureSearch(workFolder: string): Promise<Row[]> {
  const dataDir = join(workFolder, 'search');
  seed(dataDir, posts);
  const db = open(join(dataDir, 'site.db'));
  db.transaction((tx) => {
    for (const { id, content } of tx.select().from(blogPosts).all()) {
      const body = renderMarkdown(content);
      storeBody(tx, id, { ...body, text: searchTextOf(body.html) });
    }
  });
  const search = createSearch(db);
  const times: number[] = [];
  for (let round = 0; round < 50; round += 1) {
    for (const query of queries) {
      const began = process.cpuUsage();
      await search(query);
      const { user, system } = process.cpuUsage(began);
      times.push((user + system) / 1_000);
    }
  }
  db.$client.close();
  return [
    {
      what: 'search in 10,000 posts, CPU time p50 / p99',
      measured: `${ms(percentile(times, 50))} / ${ms(percentile(times, 99))}`,
      aim: 'p99 ≤ 10 ms',
    },
  ];
}
