import { expect, test } from 'vitest';
import { postMarkdown, revisionMarkdown } from './post-markdown.ts';

test('escapes any title', () => {
  const post = {
    title: '"quoted": yes\n---\npublished: false # 水 🔧',
    slug: 'a',
    published: true,
    scheduledAt: null,
    excerpt: '',
    coverImage: 'https://example.com/a.png',
    tags: [{ slug: 'yes-no', name: 'yes: "no"' }],
    content: '---\nnot: front matter',
    createdAt: 0,
    updatedAt: 0,
    deletedAt: null,
    deletedPublished: null,
  };
  const lines = postMarkdown(post).split('\n');
  expect(lines[1]).toBe(`title: ${JSON.stringify(post.title)}`);
  expect(lines[8]).toBe('tags: ["yes: \\"no\\""]');
  expect(lines.indexOf('---', 1)).toBe(9);
  expect(lines.slice(11)).toEqual(['---', 'not: front matter', '']);
});

test('a revision has its tags', () => {
  const revision = {
    ...{ id: '1', postId: '1', userId: '1', version: 2, name: null, bytes: 1, createdAt: 0 },
    ...{ title: 'A', slug: 'a', excerpt: '', coverImage: null, published: true, content: 'x' },
    scheduledAt: null,
    tags: [{ slug: 'winter', name: 'Winter' }],
  };
  expect(revisionMarkdown(revision).split('\n')).toContain('tags: ["Winter"]');
});
