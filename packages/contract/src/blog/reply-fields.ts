import * as v from 'valibot';

export const time = v.pipe(v.string(), v.isoTimestamp());

export const nextCursor = v.pipe(v.nullable(v.string()), v.description('Null on the last page.'));
