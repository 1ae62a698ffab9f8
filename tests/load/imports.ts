import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderMarkdown } from '@app/api/src/blog/rendering/markdown.ts';
import { cli } from '../support/cli.ts';
import { type Row, seconds } from './row.ts';
import { seed, seededPost } from './seed.ts';

const posts = 5_000;

/** The times include the start of the command. */
export async function* measureImports(folder: string): AsyncGenerator<Row> {
  const from = join(folder, 'exported-site');
  seed(from, posts);
  const exported = join(folder, 'posts');
  await run(from, ['posts', 'export', exported]);
  yield await importRow('an export of this site', folder, exported);

  const ghost = join(folder, 'ghost.json');
  writeFileSync(ghost, ghostExport());
  yield await importRow('an export of Ghost, from HTML', folder, ghost);
}

async function importRow(what: string, folder: string, source: string): Promise<Row> {
  const dataDir = join(folder, `site-of-${what.replaceAll(/\W+/g, '-')}`);
  seed(dataDir, 0);
  const began = performance.now();
  const out = await run(dataDir, ['posts', 'import', source]);
  const took = performance.now() - began;
  const summary = `Imported ${posts} posts (${posts} published, 0 drafts).`;
  if (!out.includes(summary)) throw new Error(`the import is incomplete: ${out.slice(-500)}`);
  return {
    what: `import of ${posts.toLocaleString('en-US')} posts of 3 kB: ${what}`,
    measured: seconds(took),
    aim: '≤ 60 s',
  };
}

async function run(dataDir: string, args: string[]): Promise<string> {
  const { code, out, err } = await cli(dataDir, args);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${err}`);
  return out;
}

const ghostExport = (): string => {
  const exportedPosts = Array.from({ length: posts }, (_, n) => {
    const { title, content, createdAt } = seededPost(n);
    return {
      id: `${n}`,
      uuid: `uuid-${n}`,
      title,
      slug: `post-${n}`,
      html: renderMarkdown(content).html,
      status: 'published',
      published_at: new Date(createdAt).toISOString(),
    };
  });
  const meta = { version: '5.80.0' };
  return JSON.stringify({ db: [{ meta, data: { posts: exportedPosts } }] });
};
