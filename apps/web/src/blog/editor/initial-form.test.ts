import { excerptOf, type Post } from '@app/contract/blog/posts';
import { expect, test } from 'vitest';
import { initialTexts } from '../../unsaved/form-texts.ts';
import { initialForm } from './initial-form.ts';
import { islandTexts } from './island-texts.ts';

const content = 'The content.';

test.each([
  ['leaves the field of a default excerpt empty', excerptOf(content), ''],
  ['fills in a written excerpt', 'Written', 'Written'],
])('%s', (_what, excerpt, field) => {
  const post = { title: 'Title', slug: 'title', content, excerpt, tags: [] } as unknown as Post;
  expect(initialForm({ post }).fields?.excerpt).toBe(field);
  expect(initialTexts(post).excerpt).toBe(field);
});

test('fills in the content that is hidden in the props of the island', () => {
  const post = { title: 'Title', slug: 'title', content, excerpt: '', tags: [] } as unknown as Post;
  expect(initialForm(islandTexts({ post })).fields?.content).toBe(content);
});
