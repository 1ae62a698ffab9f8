import { MIMEType } from 'node:util';
import { messages } from '@app/contract/messages';
import type { InputIssue } from '@app/contract/problems';
import { createMiddleware } from 'hono/factory';
import { resolver } from 'hono-openapi';
import * as v from 'valibot';
import type { UploadLimits } from './body.ts';
import { isSmallForm, isSmallJson, isSmallMultipart } from './body-shape.ts';
import type { AppContext, AppEnv } from './context.ts';
import { describeMiddleware } from './describe-endpoint.ts';
import { problem } from './problem.ts';

export type FormFields = Record<string, string>;

const formType = 'application/x-www-form-urlencoded';
const multipartType = 'multipart/form-data';

const contentTypeOf = (c: AppContext): string | undefined =>
  c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();

interface FormPostOptions {
  /** Prefix of the form's notices on its page: newsletter- */
  noticePrefix?: string;
  /** For forms with a file. */
  contentType?: typeof formType | typeof multipartType;
}

/**
 * Recognizes form posts without JavaScript: then `problem` redirects to the form's page.
 * @param page of the form, or null if the request is not a form post after all
 */
export const formPost = (
  page: string | ((c: AppContext) => string | null),
  { noticePrefix = '', contentType = formType }: FormPostOptions = {},
) =>
  describeMiddleware(
    createMiddleware<AppEnv>(async (c, next) => {
      if (contentTypeOf(c) === contentType) {
        const formPage = typeof page === 'string' ? page : page(c);
        if (formPage !== null) {
          c.set('formPage', formPage);
          c.set('noticePrefix', noticePrefix);
        }
      }
      return next();
    }),
    {
      responses: { 303: { description: `For a form post (${contentType}): redirects to a page.` } },
    },
  );

export const multipartForm = { contentType: multipartType } as const;

/** Whether a form was sent without JavaScript. Works before `formPost`, too. */
export const isSentForm = (c: AppContext): boolean => contentTypeOf(c) === formType;

/** The fields of a form that was sent without JavaScript; null for other requests. */
export const sentForm = (c: AppContext): FormFields | null =>
  isSentForm(c) && isSmallForm(c.get('body')) ? formFields(c) : null;

export const isFormPost = (c: AppContext): boolean => c.get('formPage') !== undefined;

interface InputOptions {
  /** For the documentation, and for the tests that every endpoint must pass. */
  example?: object;
  /** See `formPost`. */
  noticePrefix?: string;
  /** For invalid input, instead of the default notice. */
  notice?: string | ((issues: readonly InputIssue[]) => string | undefined);
  /** The form's page, if it depends on the input. */
  pageOf?: (fields: FormFields) => string;
  /** May replace the response to invalid input. */
  onInvalid?: (c: AppContext, issues: InputIssue[]) => Promise<Response | null>;
}

/**
 * Parses and validates a JSON body or, after `formPost`, a form. Handlers get the schema's output
 * from `c.req.valid('json')`. Answers 400, 415, or 422 with the first issue of each field; a form
 * post gets 303 to its page. Replaces Hono's `validator`, because `readBodyFirst` has already read
 * the bytes, they are only parsed if they hold few values, and no other JSON type is accepted.
 */
export const input = <S extends v.GenericSchema>(schema: S, options: InputOptions = {}) => {
  const { example, noticePrefix, notice, onInvalid } = options;
  const middleware = createMiddleware<
    AppEnv,
    string,
    { in: { json: v.InferInput<S> }; out: { json: v.InferOutput<S> } }
  >(async (c, next) => {
    if (noticePrefix !== undefined) c.set('noticePrefix', noticePrefix);
    const read = readBody(c, options);
    if (read instanceof Response) return read;
    const result = v.safeParse(schema, read.body, { abortPipeEarly: true });
    if (!result.success) {
      const issues = firstIssueOfEachField(result.issues);
      const shown = typeof notice === 'function' ? notice(issues) : notice;
      return (await onInvalid?.(c, issues)) ?? invalidInput(c, issues, shown);
    }
    c.req.addValidatedData('json', result.output as object);
    return next();
  });
  const content = {
    'application/json': {
      schema: resolver(schema, { options: { typeMode: 'input' } }),
      ...(example !== undefined && { example }),
    },
  };
  return describeMiddleware(middleware, {
    requestBody: { required: true, content },
    problems: ['malformed_body', 'unsupported_media_type', 'invalid_input'],
  });
};

function readBody(c: AppContext, { pageOf }: InputOptions): { body: unknown } | Response {
  if (contentTypeOf(c) === 'application/json') {
    if (!isSmallJson(c.get('body'))) return tooManyValues(c);
    try {
      return { body: JSON.parse(bodyText(c)) };
    } catch {
      return problem(c, 'malformed_body', 'The body is not JSON.');
    }
  }
  if (isFormPost(c)) {
    if (!isSmallForm(c.get('body'))) return tooManyValues(c);
    const fields = formFields(c);
    if (pageOf) c.set('formPage', pageOf(fields));
    return { body: fields };
  }
  const detail = 'Send application/json, named in the Content-Type header.';
  return problem(c, 'unsupported_media_type', detail);
}

export const bodyText = (c: AppContext): string => new TextDecoder().decode(c.get('body'));

/** Parses the form only once, because two megabytes take 25 ms. */
export function formFields(c: AppContext): FormFields {
  const known = c.get('formFields');
  if (known) return known;
  const fields = Object.fromEntries(new URLSearchParams(textWithSpaces(c.get('body'))));
  c.set('formFields', fields);
  return fields;
}

const [plus, space = 0] = Buffer.from('+ ');

/** Replaces plus signs: `URLSearchParams` takes 300 to 700 ms for two megabytes of them. */
function textWithSpaces(form: Uint8Array): string {
  const bytes = Buffer.from(form);
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === plus) bytes[at] = space;
  }
  return new TextDecoder().decode(bytes);
}

const tooManyValues = (c: AppContext): Response =>
  problem(c, 'malformed_body', 'Send one flat object with the fields of this endpoint.');

/** @param notice on the form's page, instead of the default */
export function invalidInput(c: AppContext, issues: InputIssue[], notice?: string): Response {
  const detail = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  return problem(c, 'invalid_input', detail.join(' '), { issues, ...(notice && { notice }) });
}

function firstIssueOfEachField(
  found: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]],
): InputIssue[] {
  const issues = new Map<string, InputIssue>();
  for (const issue of found) {
    const path = v.getDotPath(issue) ?? '';
    if (issues.has(path)) continue;
    const isUnknownField = issue.type === 'strict_object' && issue.expected === 'never';
    issues.set(path, { path, message: isUnknownField ? messages.field.unknown : issue.message });
  }
  return [...issues.values()];
}

/** Bytes that a body may have in addition to its file. */
const multipartOverhead = 65_536;

/** Null if it is malformed or has too many parts. */
async function parseMultipart(c: AppContext): Promise<FormData | null> {
  const body = c.get('body');
  const boundary = boundaryOf(c.req.header('Content-Type') ?? '');
  if (!boundary || !isSmallMultipart(body, boundary)) return null;
  // Parse with the boundary that was checked: another parser might read the header differently.
  const type = new MIMEType(multipartType);
  type.params.set('boundary', boundary);
  const headers = { 'Content-Type': type.toString() };
  return new Response(new Uint8Array(body), { headers }).formData().catch(() => null);
}

function boundaryOf(contentType: string): string | null {
  try {
    return new MIMEType(contentType).params.get('boundary');
  } catch {
    return null;
  }
}

interface FileOptions {
  field: string;
  maxBytes: number;
  /** The text of the response to a larger file. */
  tooLarge: string;
  /** See `createUploadReader`. */
  read: (c: AppContext, uploadLimits: UploadLimits) => Promise<Response | null>;
}

/**
 * Reads a multipart body (RFC 7578). Handlers get its file, or null if there is none, and its texts
 * from `c.req.valid('form')`. Answers 400, 413 or 415.
 */
export const fileInput = ({ field, maxBytes, tooLarge, read }: FileOptions) => {
  const middleware = createMiddleware<
    AppEnv,
    string,
    { in: { form: { file: File } }; out: { form: { file: File | null; texts: FormFields } } }
  >(async (c, next) => {
    if (contentTypeOf(c) !== multipartType) {
      const detail = `Send a file as the field \`${field}\` of a multipart/form-data body.`;
      return problem(c, 'unsupported_media_type', detail);
    }
    const refusal = await read(c, { maxBytes: maxBytes + multipartOverhead, tooLarge });
    if (refusal) return refusal;
    const form = await parseMultipart(c);
    if (!form) return problem(c, 'malformed_body', 'The body is not multipart/form-data.');
    const sent = form.get(field);
    const texts = Object.fromEntries([...form].filter((entry) => typeof entry[1] === 'string'));
    if (sent instanceof File && sent.size > maxBytes) {
      return problem(c, 'body_too_large', tooLarge);
    }
    // An empty field sends a file without a name (HTML, 4.10.22.4).
    const isFile = sent instanceof File && (sent.name !== '' || sent.size > 0);
    c.req.addValidatedData('form', { file: isFile ? sent : null, texts });
    return next();
  });
  const schema = {
    type: 'object' as const,
    properties: {
      [field]: { type: 'string' as const, contentMediaType: 'image/*', maxLength: maxBytes },
    },
    required: [field],
  };
  return describeMiddleware(middleware, {
    requestBody: { required: true, content: { [multipartType]: { schema } } },
    problems: ['malformed_body', 'unsupported_media_type', 'too_many_requests'],
  });
};
