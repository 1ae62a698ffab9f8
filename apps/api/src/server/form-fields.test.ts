import type { Context } from 'hono';
import { expect, test } from 'vitest';
import { formFields } from './input.ts';

const parse = (body: string) => {
  const variables = new Map<string, unknown>([['body', Buffer.from(body)]]);
  const context: Pick<Context, 'get' | 'set'> = {
    get: (name: string) => variables.get(name),
    set: (name: string, value: unknown) => void variables.set(name, value),
  };
  return formFields(context as Context);
};

test.each(['a=one+two&b=1%2B1', '+=+&%2B=%20', 'a=%E6%BC%A2+\u6F22&b=%zz+%', 'a&=b&a=last'])(
  'reads %s as browsers do',
  (body) => {
    expect(parse(body)).toEqual(Object.fromEntries(new URLSearchParams(body)));
  },
);
