import * as v from 'valibot';
import { expect, test } from 'vitest';
import { profileChange } from './accounts/profile.ts';
import { newPost, postChange } from './blog/posts.ts';
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
  '%s accepts the combining marks of scripts, rejects stacks of them',
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
