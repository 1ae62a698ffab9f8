import { excerptOf, type Post } from '@app/contract/blog/posts';
import { expect, test } from 'vitest';
import { initialTexts } from '../../unsaved/form-texts.ts';
import { initialForm } from './initial-form.ts';
import { islandTexts } from './island-texts.ts';

const content = 'The content.';

test.each([
  ['a default excerpt leaves the field empty', excerptOf(content), ''],
  ['a written excerpt is in its field', 'Written', 'Written'],
])('%s', (_what, excerpt, field) => {
  const post = { title: 'Title', slug: 'title', content, excerpt, tags: [] } as unknown as Post;
  expect(initialForm({ post }).fields?.excerpt).toBe(field);
  expect(initialTexts(post).excerpt).toBe(field);
});

test('the content that the props of the island hide is in its field', () => {
  const post = { title: 'Title', slug: 'title', content, excerpt: '', tags: [] } as unknown as Post;
  expect(initialForm(islandTexts({ post })).fields?.content).toBe(content);
});
