import {
  formTokenField,
  honeypotField,
  idempotencyKeyHeader,
  type SubmissionForm,
} from '@app/contract/forms/submit';
import { messages } from '@app/contract/messages';
import type { InputIssue } from '@app/contract/problems';
import { clientAddress } from '../../server/client-address.ts';
import type { AppContext } from '../../server/context.ts';
import { checkInput, invalidInput, readBody } from '../../server/input.ts';
import type { FindPage } from '../../server/personal-pages.ts';
import { problem } from '../../server/problem.ts';
import { countRequest, createRateLimit, tooManyRequests } from '../../server/rate-limits.ts';
import type { Deps } from './deps.ts';
import type { Form, FormValues } from './form.ts';
import { findSavedEntries, saveEntries } from './saved-entries.ts';
import type { SpamFields } from './spam-signals.ts';
import { createSubmit } from './submit.ts';

/**
 * Takes what a public form sends: 201 once it is stored, the same again for the same again, or
 * for a browser without scripts a 303 to the page of the form.
 */
export function submissionHandler<T extends FormValues>(deps: Deps, form: Form<T>) {
  const submit = createSubmit(deps, form);
  const saves = createRateLimit(deps, { name: 'saved-entries', max: 30, seconds: 60 * 60 });

  /** Without scripts, the form again with what was typed; null where that is not possible. */
  async function rejectedForm(
    c: AppContext,
    body: unknown,
    issues: InputIssue[],
  ): Promise<Response | null> {
    if (c.get('formPage') === undefined) return null;
    const address = clientAddress(c, deps);
    if (address !== null && !(await countRequest(deps, saves, address)).allowed) return null;
    const typed = Object.entries(body as Record<string, string>);
    const entries = Object.fromEntries(typed.filter(([name]) => name in form.schema.entries));
    const token = await saveEntries(deps, { form: form.name, entries, issues });
    return token === null ? null : c.redirect(`${form.page}/again/${token}`, 303);
  }

  return async (c: AppContext): Promise<Response> => {
    const read = readBody(c, { page: form.page });
    if ('refusal' in read) return read.refusal;
    const key = readKey(c);
    if (key === 'malformed') {
      const detail = `Send a UUID as ${idempotencyKeyHeader}, a new one for each submission.`;
      return problem(c, 'invalid_idempotency_key', detail);
    }
    const { fields, spamFields } = splitFields(read.body);
    const checked = checkInput(form.schema, fields);
    if ('issues' in checked) {
      const { issues } = checked;
      return (await rejectedForm(c, fields, issues)) ?? invalidInput(c, issues);
    }

    const address = clientAddress(c, deps);
    const submitted = await submit({ sent: checked.value, key, spamFields, address });
    switch (submitted.outcome) {
      case 'stored':
        if (c.get('formPage') !== undefined) return c.redirect(`${form.page}#sent`, 303);
        return c.json({ stored: true }, 201);
      case 'key_reused': {
        const detail = `Something else was sent with this ${idempotencyKeyHeader}. Use a new one.`;
        return problem(c, 'idempotency_key_reused', detail);
      }
      case 'too_many': {
        const { retryAfterSeconds } = submitted;
        const issue = { path: '', message: messages.submissions.tooMany(retryAfterSeconds) };
        return (await rejectedForm(c, fields, [issue])) ?? tooManyRequests(c, retryAfterSeconds);
      }
    }
  };
}

/** /contact/again, /careers/again: a rejected form with the entries of a visitor without JavaScript. */
export const rejectedFormPage =
  (deps: Deps, form: SubmissionForm): FindPage =>
  async (c) => {
    const saved = await findSavedEntries(deps, form, c.req.param('token') ?? '');
    return saved ? { kind: 'rejectedForm', ...saved } : c.redirect(`/${form}`, 303);
  };

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The draft has it in quotes (RFC 9651 §3.3.3, String); most senders leave them out. */
function readKey(c: AppContext): string | null {
  const header = c.req.header(idempotencyKeyHeader);
  if (header === undefined) return null;
  const key = header.replace(/^"(.*)"$/, '$1').toLowerCase();
  return uuid.test(key) ? key : 'malformed';
}

/** Separates the schema's fields from those that detect spam. */
function splitFields(body: unknown): { fields: unknown; spamFields: SpamFields } {
  const spamFields: SpamFields = { honeypot: '', formToken: '' };
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { fields: body, spamFields };
  }
  const fields: Record<string, unknown> = { ...body };
  const take = (name: string): string => {
    const value = fields[name];
    if (typeof value !== 'string') return '';
    delete fields[name];
    return value;
  };
  return {
    spamFields: { honeypot: take(honeypotField), formToken: take(formTokenField) },
    fields,
  };
}
