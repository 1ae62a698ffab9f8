import * as v from 'valibot';
import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';
import { careerInquiry, careerMessages } from './careers.ts';

const inquiry = { name: 'Jo', email: 'jo@example.com', message: 'I build it.' };

/** The first message for each invalid field. */
const issuesOf = (input: unknown): Record<string, string> => {
  const issues: Record<string, string> = {};
  for (const issue of v.safeParse(careerInquiry, input).issues ?? []) {
    issues[v.getDotPath(issue) ?? ''] ??= issue.message;
  }
  return issues;
};

test('reports all missing fields at once', () => {
  expect(issuesOf({})).toEqual({
    name: 'Name must be at least 2 characters.',
    email: 'Please enter a valid email address.',
    message: 'Message must be at least 10 characters.',
  });
});

test('does not count surrounding spaces toward the minimum length', () => {
  expect(v.parse(careerInquiry, { ...inquiry, name: ' Jo ', message: '  0123456789 ' })).toEqual({
    ...inquiry,
    message: '0123456789',
    resumeLink: null,
  });
  expect(issuesOf({ ...inquiry, name: ' J ' })).toEqual({ name: careerMessages.nameTooShort });
  expect(issuesOf({ ...inquiry, message: ' 012345678 ' })).toEqual({
    message: careerMessages.messageTooShort,
  });
});

test.each([
  ['name', limits.name],
  ['message', limits.message],
])('accepts a %s up to its limit', (field, max) => {
  expect(issuesOf({ ...inquiry, [field]: 'x'.repeat(max) })).toEqual({});
  expect(issuesOf({ ...inquiry, [field]: 'x'.repeat(max + 1) })).toEqual({
    [field]: messages.field.tooLong(max),
  });
});

test.each([undefined, null, '', '   '])('turns the resume link %j into null', (resumeLink) => {
  expect(v.parse(careerInquiry, { ...inquiry, resumeLink }).resumeLink).toBeNull();
});

test.each(['https://jo.example/cv.pdf', 'http://jo.example'])(
  'accepts the resume link %s',
  (link) => {
    expect(v.parse(careerInquiry, { ...inquiry, resumeLink: ` ${link} ` }).resumeLink).toBe(link);
  },
);

test.each([
  'my resume',
  'jo.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://jo.example',
])('rejects the resume link %s', (resumeLink) => {
  expect(issuesOf({ ...inquiry, resumeLink })).toEqual({
    resumeLink: 'Please enter a valid URL for your resume.',
  });
});

test('accepts a resume link up to its limit', () => {
  const link = `https://jo.example/${'x'.repeat(limits.url)}`;
  expect(issuesOf({ ...inquiry, resumeLink: link.slice(0, limits.url) })).toEqual({});
  expect(issuesOf({ ...inquiry, resumeLink: link.slice(0, limits.url + 1) })).toEqual({
    resumeLink: messages.field.tooLong(limits.url),
  });
});
