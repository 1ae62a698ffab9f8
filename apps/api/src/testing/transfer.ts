import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { blogPosts } from '@app/db/schema/blog';
import { asc } from 'drizzle-orm';
import { makeDataDir } from './blog.ts';
import type { TestApp } from './test-app.ts';

/** Writes files of another system, to import. @returns their folder */
export function writeSource(files: Record<string, string | object>): string {
  const folder = join(makeDataDir(), 'source');
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

export const postsOf = ({ deps }: Pick<TestApp, 'deps'>) =>
  deps.db.select().from(blogPosts).orderBy(asc(blogPosts.slug)).all();
