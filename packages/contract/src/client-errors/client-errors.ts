import * as v from 'valibot';
import { messages } from '../messages.ts';
import { maxText } from './limits.ts';

const text = v.pipe(v.string(), v.maxLength(maxText, messages.field.tooLong(maxText)));

/** `error`: a script failed. `csp`: the content security policy blocked something. */
export const reportKinds = ['error', 'csp'] as const;
export type ReportKind = (typeof reportKinds)[number];

export const clientError = v.strictObject({
  kind: v.picklist(reportKinds, 'must be error or csp'),
  message: text,
  stack: v.pipe(text, v.description('As reported by the browser, or the file and line.')),
});
export type ClientError = v.InferOutput<typeof clientError>;
