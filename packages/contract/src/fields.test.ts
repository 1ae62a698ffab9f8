import * as v from 'valibot';
import { expect, test } from 'vitest';
import { profileChange } from './accounts/profile.ts';
import { pictureChange } from './blog/picture-inputs.ts';
import { newPost, postChange, postPreview } from './blog/posts.ts';
import { revisionName } from './blog/revisions.ts';
import { careerInquiry } from './forms/careers.ts';
import { contactMessage } from './forms/contact.ts';
import { limits } from './limits.ts';
import { messages } from './messages.ts';

const issuesAt = (schema: v.GenericSchema, field: string, value: string): string[] =>
  (v.safeParse(schema, { [field]: value }).issues ?? [])
    .filter((issue) => v.getDotPath(issue) === field)
    .map(({ message }) => message);

test.each([
  ['a new post', newPost, ['title', 'content', 'excerpt']],
  ['a changed post', postChange, ['title', 'content', 'excerpt']],
  ['a profile', profileChange, ['fullName']],
  ['a contact message', contactMessage, ['name', 'phone', 'company', 'message']],
  ['an inquiry', careerInquiry, ['name', 'message']],
] as const)(
  '%s accepts the combining marks that scripts need, and rejects stacks of them',
  (_, schema, fields) => {
    const text = (marks: number) => `Ann x${'\u0332'.repeat(marks)} Lee`;
    for (const field of fields) {
      expect(issuesAt(schema, field, text(limits.combiningMarks)), field).toEqual([]);
      expect(issuesAt(schema, field, text(limits.combiningMarks + 1)), field).toEqual([
        messages.field.combiningMarks,
      ]);
    }
  },
);

test.each([
  ['a new post', newPost, { title: 'x', content: 'x' }, ['title', 'tags']],
  ['a changed post', postChange, {}, ['title', 'tags']],
  ['a preview', postPreview, { content: 'x' }, ['title']],
  ['a revision', revisionName, {}, ['name']],
  ['a picture', pictureChange, {}, ['alt']],
  ['a profile', profileChange, {}, ['fullName']],
  [
    'a contact message',
    contactMessage,
    { name: 'Ann', email: 'ann@example.com', message: 'x' },
    ['name', 'phone', 'company'],
  ],
  [
    'an inquiry',
    careerInquiry,
    { name: 'Ann', email: 'ann@example.com', message: 'About the job' },
    ['name'],
  ],
] as const)(
  '%s: control and invisible characters are removed from single-line fields',
  (_, schema, others, fields) => {
    for (const field of fields) {
      const text = ' An\u202en\u3164\u0001\u000b\r\n\ufffe\u2028Lee\u0000水\u{1ffff}\u115f ';
      const value = v.parse(schema as v.GenericSchema, { ...others, [field]: text });
      const expected = field === 'tags' ? ['Ann Lee 水'] : 'Ann Lee 水';
      expect([field, value]).toMatchObject([field, { [field]: expected }]);
    }
  },
);

test.each([
  ['a new post', newPost, 'title'],
  ['a new post', newPost, 'content'],
  ['a profile', profileChange, 'username'],
  ['a contact message', contactMessage, 'name'],
  ['a contact message', contactMessage, 'message'],
  ['an inquiry', careerInquiry, 'name'],
  ['an inquiry', careerInquiry, 'message'],
] as const)('%s: nothing visible is empty, %#', (_, schema, field) => {
  const empty = issuesAt(schema, field, '');
  expect(empty).not.toEqual([]);
  expect(issuesAt(schema, field, ' \u3164\u115f\u200b\u2800\u{e0100}\ufe0f\u00ad\u202e')).toEqual(
    empty,
  );
});

test.each([
  ['a new post', newPost, { title: 'x', content: 'x' }, 'excerpt'],
  ['a contact message', contactMessage, { name: 'Ann', email: 'ann@example.com' }, 'message'],
  ['an inquiry', careerInquiry, { name: 'Ann', email: 'ann@example.com' }, 'message'],
] as const)('%s: the %s cannot change the direction of other text', (_, schema, others, field) => {
  const value = v.parse(schema as v.GenericSchema, {
    ...others,
    [field]: 'About\u202e the\u2067 job\nשלום',
  });
  expect(value).toMatchObject({ [field]: 'About the job\nשלום' });
});

test('the default excerpt cannot change the direction of other text', () => {
  const content = `A\u202eB\u2067C ${'word '.repeat(100)}`;
  const { excerpt } = v.parse(newPost, { title: 'x', content });
  expect(excerpt).toMatch(/^ABC word .*\.\.\.$/);
});
