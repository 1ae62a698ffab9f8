import { messages } from '@app/contract/messages';
import type { InputIssue } from '@app/contract/problems';
import * as v from 'valibot';
import type { UploadLimits } from './body.ts';
import { isSmallForm, isSmallJson, isSmallMultipart } from './body-shape.ts';
import type { AppContext } from './context.ts';
import { problem } from './problem.ts';

type FormFields = Record<string, string>;
interface Refusal {
  /** The finished answer. */
  refusal: Response;
}

interface FormPost {
  /** The page of the form, which says what happened: /contact */
  page: string;
  /** What the names of its notices begin with, where the page has another form too: newsletter- */
  noticePrefix?: string;
  /** From what a form can send (texts) to what the schema takes. */
  read?: (fields: FormFields) => unknown;
}

/**
 * Notes that a browser without scripts sent the request, if it did: what is
 * answered from then on are pages, see `problem`.
 */
export function noteFormPost(c: AppContext, page: string, noticePrefix = ''): boolean {
  if (contentTypeOf(c) !== formType) return false;
  c.set('formPage', page);
  c.set('noticePrefix', noticePrefix);
  return true;
}

/** Likewise for a form that sends a file. */
export function noteMultipartPost(c: AppContext, page: string, noticePrefix = ''): void {
  if (contentTypeOf(c) !== multipartType) return;
  c.set('formPage', page);
  c.set('noticePrefix', noticePrefix);
}

const formType = 'application/x-www-form-urlencoded';
const multipartType = 'multipart/form-data';

const contentTypeOf = (c: AppContext): string | undefined =>
  c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();

/** What a multipart body may hold besides its file, in bytes. */
const multipartOverhead = 65_536;

/**
 * The file of a multipart body (RFC 7578) that `createUploadReader` has read; null when there is
 * none in the field. A refusal is the finished answer: 400, 413 or 415.
 * @param read reads the body, within the limits that it is given
 * @param most how large the file may be, in bytes
 * @param tooLarge what is said of a larger one
 */
export async function readFile(
  c: AppContext,
  read: (uploadLimits: UploadLimits) => Promise<Response | null>,
  { field, most, tooLarge }: { field: string; most: number; tooLarge: string },
): Promise<{ file: File | null } | Refusal> {
  if (contentTypeOf(c) !== multipartType) {
    const detail = `Send a file as the field \`${field}\` of a multipart/form-data body.`;
    return { refusal: problem(c, 'unsupported_media_type', detail) };
  }
  const refusal = await read({ maxBytes: most + multipartOverhead, tooLarge });
  if (refusal) return { refusal };
  // The boundary between the parts is in the header.
  const type = c.req.header('Content-Type') ?? '';
  const boundary = /boundary="?([^";]+)/i.exec(type)?.[1] ?? '';
  const body = c.get('body');
  const form = isSmallMultipart(body, boundary)
    ? await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } })
        .formData()
        .catch(() => null)
    : null;
  if (!form)
    return { refusal: problem(c, 'malformed_body', 'The body is not multipart/form-data.') };
  const file = form.get(field);
  if (!(file instanceof File)) return { file: null };
  if (file.size > most) return { refusal: problem(c, 'body_too_large', tooLarge) };
  // A field where nothing was chosen sends a file without a name (HTML, 4.10.22.4).
  return { file: file.name === '' && file.size === 0 ? null : file };
}

/** The body as text, in UTF-8. */
export const bodyText = (c: AppContext): string => new TextDecoder().decode(c.get('body'));

/**
 * Reads a JSON body, or where `form` is given also a browser's form post, and
 * checks it. A refusal is the finished answer: 400, 415 or 422 with each field's
 * issue, or for a form post a 303 to its page.
 */
export function readInput<S extends v.GenericSchema>(
  c: AppContext,
  schema: S,
  form?: FormPost,
): { value: v.InferOutput<S> } | Refusal {
  const read = readBody(c, form);
  if ('refusal' in read) return read;
  const checked = checkInput(schema, read.body);
  return 'value' in checked ? checked : { refusal: invalidInput(c, checked.issues) };
}

/** The first half of `readInput`: what was sent, whatever it is. */
export function readBody(c: AppContext, form?: FormPost): { body: unknown } | Refusal {
  if (contentTypeOf(c) === 'application/json') {
    if (!isSmallJson(c.get('body'))) return { refusal: tooManyValues(c) };
    try {
      return { body: JSON.parse(bodyText(c)) };
    } catch {
      return { refusal: problem(c, 'malformed_body', 'The body is not JSON.') };
    }
  }
  if (form && noteFormPost(c, form.page, form.noticePrefix)) {
    if (!isSmallForm(c.get('body'))) return { refusal: tooManyValues(c) };
    const fields: FormFields = Object.fromEntries(new URLSearchParams(bodyText(c)));
    return { body: form.read ? form.read(fields) : fields };
  }
  const taken = form ? 'application/json or a form post' : 'application/json';
  const detail = `Send ${taken}, named in the Content-Type header.`;
  return { refusal: problem(c, 'unsupported_media_type', detail) };
}

const tooManyValues = (c: AppContext): Response =>
  problem(c, 'malformed_body', 'Send one flat object with the fields of this endpoint.');

/**
 * The second half of `readInput`: what the schema makes of it, or the first issue of each field. What
 * is too long for its field is not looked at any further.
 */
export function checkInput<S extends v.GenericSchema>(
  schema: S,
  body: unknown,
): { value: v.InferOutput<S> } | { issues: InputIssue[] } {
  const result = v.safeParse(schema, body, { abortPipeEarly: true });
  return result.success
    ? { value: result.output }
    : { issues: firstIssueOfEachField(result.issues) };
}

/** @param notice of the form's page, where it has one of its own for these issues */
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
