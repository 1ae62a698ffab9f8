import type { EditConflict } from '@app/contract/edit-conflict';
import { expect, test } from 'vitest';
import type { PostTexts } from '../../unsaved/form-texts.ts';
import { chosenTexts, mergedTexts } from './resolve-conflict.ts';

const scheduledAt = '2026-03-29T04:30:00.000Z';

const conflict: EditConflict = {
  version: 2,
  savedBy: 'Bob',
  isYours: false,
  savedAt: '2026-03-01T00:00:00.000Z',
  merged: {
    title: 'Yours',
    slug: 'theirs-only',
    excerpt: 'Merged',
    coverImage: '',
    tags: 'One, Two',
    published: true,
  },
  fields: [{ field: 'title', base: 'Title', theirs: 'Theirs', yours: 'Yours' }],
  content: [
    { text: 'First.\n\n' },
    { base: 'Second.\n', theirs: 'Theirs.\n', yours: 'Yours.\n' },
    { text: '\nThird.\n' },
    { base: 'Fourth.\n', theirs: '', yours: 'Last.\n' },
  ],
};

const typed: PostTexts = {
  title: 'Yours',
  slug: 'slug',
  excerpt: '',
  coverImage: '',
  tags: 'One',
  content: 'First.\n\nYours.\n\nLast.',
  published: false,
  scheduledAt,
};

const merged = mergedTexts(conflict, typed);

test('the form has the changes of both, and the user’s own where they conflict', () => {
  expect(merged).toEqual({
    ...conflict.merged,
    content: 'First.\n\nYours.\n\nThird.\nLast.',
    scheduledAt,
  });
});

test('choices replace the fields and the lines that they are for', () => {
  const chosen = chosenTexts(conflict, merged, { fields: ['theirs'], content: ['both', 'theirs'] });
  expect(chosen).toEqual({
    ...merged,
    title: 'Theirs',
    content: 'First.\n\nTheirs.\nYours.\n\nThird.',
  });
});

test('choosing one’s own text keeps what was typed meanwhile', () => {
  const later = { ...merged, title: 'Typed', tags: 'Three', content: 'Typed' };
  const own = { fields: ['yours'], content: ['yours', 'yours'] } as const;
  expect(chosenTexts(conflict, later, own)).toEqual(later);
  const theirTitle = chosenTexts(conflict, later, { ...own, fields: ['theirs'] });
  expect(theirTitle).toEqual({ ...later, title: 'Theirs' });
});
