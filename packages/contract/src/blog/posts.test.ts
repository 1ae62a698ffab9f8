import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { postFieldMessages } from './messages.ts';
import { excerptOf, monthOf, newPost, postChange, slugOf } from './posts.ts';

/** The first message for each invalid field. */
const issuesOf = (schema: v.GenericSchema, input: unknown): Record<string, string> => {
  const issues: Record<string, string> = {};
  for (const issue of v.safeParse(schema, input).issues ?? []) {
    issues[v.getDotPath(issue) ?? ''] ??= issue.message;
  }
  return issues;
};

const post = { title: 'Winter checks', content: 'Drain the pipes.' };

describe('slug', () => {
  test.each([
    ['Winter Checks', 'winter-checks'],
    ['What does a visit cost?', 'what-does-a-visit-cost'],
    ["Don't wait: call today!", 'dont-wait-call-today'],
    ['Tabs\tand\nlines', 'tabs-and-lines'],
    ['Plumbing -- and more - plumbing', 'plumbing-and-more-plumbing'],
    ['- first -', 'first'],
    ['snake_case stays', 'snake_case-stays'],
    ['Café 2025', 'caf-2025'],
    ['../../etc/passwd', 'etcpasswd'],
    ['水道', ''],
    ['?!', ''],
  ])('turns %j into %j', (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  test('is truncated without a trailing hyphen', () => {
    const title = `${'a'.repeat(limits.slug - 1)} and more`;
    expect(slugOf(title)).toBe('a'.repeat(limits.slug - 1));
  });
});

describe('default excerpt', () => {
  test('is the first 150 characters with an ellipsis', () => {
    expect(excerptOf('x'.repeat(200))).toBe(`${'x'.repeat(150)}...`);
    expect(excerptOf('Short.')).toBe('Short....');
  });

  test('never splits a character', () => {
    expect(excerptOf(`${'x'.repeat(149)}🔧 tools`)).toBe(`${'x'.repeat(149)}...`);
  });
});

describe('new post', () => {
  test('has no slug if the title has no valid character', () => {
    expect(v.parse(newPost, { title: '水道', content: 'Text' })).toMatchObject({ slug: '' });
  });

  test('is a draft with a default slug and excerpt', () => {
    expect(v.parse(newPost, post)).toEqual({
      title: 'Winter checks',
      content: 'Drain the pipes.',
      slug: 'winter-checks',
      excerpt: 'Drain the pipes....',
      coverImage: null,
      tags: [],
      published: false,
    });
  });

  test('keeps the chosen values', () => {
    const chosen = {
      ...post,
      slug: ' pipes ',
      excerpt: ' In short. ',
      coverImage: ' https://example.com/pipes.jpg ',
      published: true,
    };
    expect(v.parse(newPost, chosen)).toMatchObject({
      slug: 'pipes',
      excerpt: 'In short.',
      coverImage: 'https://example.com/pipes.jpg',
      published: true,
    });
  });

  test('keeps white space in the content', () => {
    expect(v.parse(newPost, { ...post, content: '    code\n' }).content).toBe('    code\n');
  });

  test('reports all missing fields at once', () => {
    expect(issuesOf(newPost, {})).toEqual({
      title: postFieldMessages.titleRequired,
      content: postFieldMessages.contentRequired,
    });
  });

  test.each([
    ['a blank title', { title: '  ' }, { title: postFieldMessages.titleRequired }],
    ['a blank content', { content: ' \n ' }, { content: postFieldMessages.contentRequired }],
    [
      'a title whose slug is reserved',
      { title: 'Editor' },
      { slug: postFieldMessages.slugReserved },
    ],
    ['a reserved slug', { slug: 'archive' }, { slug: postFieldMessages.slugReserved }],
    ['a slug with capitals', { slug: 'Pipes' }, { slug: postFieldMessages.slugShape }],
    ['a slug with a path', { slug: '../pipes' }, { slug: postFieldMessages.slugShape }],
    ['a slug with a dot', { slug: 'feed.xml' }, { slug: postFieldMessages.slugShape }],
    ['a slug that ends in a hyphen', { slug: 'pipes-' }, { slug: postFieldMessages.slugShape }],
    [
      'a script as cover',
      { coverImage: 'javascript:alert(1)' },
      { coverImage: messages.field.urlInvalid },
    ],
    [
      'a data URL as cover',
      { coverImage: 'data:image/png,x' },
      { coverImage: messages.field.urlInvalid },
    ],
    ['a relative cover', { coverImage: '/pipes.jpg' }, { coverImage: messages.field.urlInvalid }],
    [
      'a title over its limit',
      { title: 'x'.repeat(limits.title + 1) },
      { title: messages.field.tooLong(limits.title) },
    ],
    [
      'a slug over its limit',
      { slug: 'x'.repeat(limits.slug + 1) },
      { slug: messages.field.tooLong(limits.slug) },
    ],
    [
      'an excerpt over its limit',
      { excerpt: 'x'.repeat(limits.excerpt + 1) },
      { excerpt: messages.field.tooLong(limits.excerpt) },
    ],
    [
      'a content over its limit',
      { content: 'x'.repeat(limits.content + 1) },
      { content: messages.field.tooLong(limits.content) },
    ],
    [
      'a cover over its limit',
      { coverImage: `https://example.com/${'x'.repeat(limits.url)}` },
      { coverImage: messages.field.tooLong(limits.url) },
    ],
  ])('rejects %s', (_what, change, issues) => {
    expect(issuesOf(newPost, { ...post, ...change })).toEqual(issues);
  });

  test.each([
    ['authorId', 'another-user'],
    ['id', '1'],
    ['published', 'yes'],
    ['title', 1],
  ])('rejects %s as %j', (field, value) => {
    expect(Object.keys(issuesOf(newPost, { ...post, [field]: value }))).toEqual([field]);
  });

  test('accepts texts up to their limits', () => {
    const longest = {
      title: 'x'.repeat(limits.title),
      content: 'word '.repeat(limits.content / 5),
      slug: 'x'.repeat(limits.slug),
      excerpt: 'x'.repeat(limits.excerpt),
    };
    expect(v.parse(newPost, longest)).toMatchObject(longest);
  });
});

describe('change to a post', () => {
  test('contains only the given fields', () => {
    expect(v.parse(postChange, { published: true })).toEqual({ published: true });
    expect(v.parse(postChange, { coverImage: '' })).toEqual({ coverImage: null });
  });

  test('keeps the slug when the title changes', () => {
    expect(v.parse(postChange, { title: 'New title' })).toEqual({ title: 'New title' });
  });

  test.each([
    ['nothing', {}, { '': messages.field.nothingToChange }],
    ['an emptied title', { title: '' }, { title: postFieldMessages.titleRequired }],
    ['an emptied content', { content: ' ' }, { content: postFieldMessages.contentRequired }],
    ['an emptied slug', { slug: ' ' }, { slug: postFieldMessages.slugRequired }],
    ['a reserved slug', { slug: 'editor' }, { slug: postFieldMessages.slugReserved }],
  ])('rejects %s', (_what, change, issues) => {
    expect(issuesOf(postChange, change)).toEqual(issues);
  });

  test('rejects unknown fields', () => {
    expect(Object.keys(issuesOf(postChange, { authorId: 'another-user' }))).toEqual(['authorId']);
  });
});

test('monthOf uses UTC', () => {
  expect(monthOf('2025-03-31T23:59:59.999Z')).toBe('2025-03');
});
