import { hour } from '@app/contract/durations';
import { honeypotField } from '@app/contract/forms/honeypot';
import { type StoredReply, storedReply } from '@app/contract/forms/replies';
import {
  formTokenField,
  idempotencyKeyHeader,
  type SubmissionForm,
  spamFields,
} from '@app/contract/forms/submit';
import { messages } from '@app/contract/messages';
import type { InputIssue } from '@app/contract/problems';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as v from 'valibot';
import { clientAddress } from '../../server/client-address.ts';
import type { AppContext, AppEnv } from '../../server/context.ts';
import { describeEndpoint } from '../../server/describe-endpoint.ts';
import { formFields, formPost, input, isFormPost } from '../../server/input.ts';
import type { FindPage } from '../../server/personal-pages.ts';
import { problem } from '../../server/problem.ts';
import { countClientRequest, tooManyRequests } from '../../server/rate-limits/middleware.ts';
import type { RateLimit } from '../../server/rate-limits/rate-limits.ts';
import type { Deps } from './deps.ts';
import type { Form, FormValues } from './form.ts';
import { findSavedEntries, saveEntries } from './saved-entries.ts';
import { createSubmit } from './submit.ts';

interface KeyEnv extends AppEnv {
  Variables: AppEnv['Variables'] & {
    idempotencyKey: string | null;
  };
}

const savedEntries: RateLimit = { name: 'saved-entries', max: 30, milliseconds: hour };

const idempotencyKey = createMiddleware<KeyEnv>(async (c, next) => {
  const key = readKey(c);
  if (key === 'malformed') {
    const detail = `Send a UUID as ${idempotencyKeyHeader}, a new one for each submission.`;
    return problem(c, 'invalid_idempotency_key', detail);
  }
  c.set('idempotencyKey', key);
  return next();
});

/**
 * Handles submissions. Replies 201 once a submission is stored, even if it was stored before.
 * Redirects a form without JavaScript to its page.
 */
export function submissionRoutes<T extends FormValues>(deps: Deps, form: Form<T>) {
  const submit = createSubmit(deps, form);

  /** Redirects a form without JavaScript to a page with its entries; null if not possible. */
  async function rejectedForm(c: AppContext, issues: InputIssue[]): Promise<Response | null> {
    if (!isFormPost(c)) return null;
    if (!(await countClientRequest(c, deps, savedEntries)).allowed) return null;
    const typed = Object.entries(formFields(c));
    const entries = Object.fromEntries(
      typed.filter(([name]) => Object.hasOwn(form.schema.entries, name)),
    );
    const token = await saveEntries(deps, { form: form.name, entries, issues });
    return token === null ? null : c.redirect(`${form.page}/again/${token}`, 303);
  }

  return new Hono<AppEnv>().post(
    '/',
    describeEndpoint({
      summary: `Send the ${form.name} form`,
      replies: {
        201: { description: 'Stored, by this request or by an earlier one.', schema: storedReply },
      },
      problems: ['idempotency_key_reused', 'too_many_requests', 'invalid_idempotency_key'],
      parameters: [
        {
          in: 'header',
          name: idempotencyKeyHeader,
          description: 'A UUID; requests with the same key are stored once.',
          schema: { type: 'string' },
        },
      ],
    }),
    formPost(form.page),
    idempotencyKey,
    input(v.strictObject({ ...form.schema.entries, ...spamFields }), {
      example: form.example,
      onInvalid: rejectedForm,
    }),
    async (c) => {
      const {
        [honeypotField]: honeypot,
        [formTokenField]: formToken,
        ...fields
      } = c.req.valid('json');
      const submitted = await submit({
        // Only the form's own fields are left.
        sent: fields as unknown as T,
        key: c.var.idempotencyKey,
        spamFields: { honeypot, formToken },
        address: clientAddress(c, deps),
      });
      switch (submitted.outcome) {
        case 'stored':
          if (isFormPost(c)) return c.redirect(`${form.page}#sent`, 303);
          return c.json({ stored: true } satisfies StoredReply, 201);
        case 'key_reused': {
          const detail = `Another submission was sent with this ${idempotencyKeyHeader}. Use a new one.`;
          return problem(c, 'idempotency_key_reused', detail);
        }
        case 'too_many': {
          const { retryAfterSeconds } = submitted;
          const issue = { path: '', message: messages.submissions.tooMany(retryAfterSeconds) };
          return (await rejectedForm(c, [issue])) ?? tooManyRequests(c, retryAfterSeconds);
        }
      }
    },
  );
}

/** /contact/again, /careers/again: a rejected form with the entries of a visitor without JavaScript. */
export const rejectedFormPage =
  (deps: Deps, form: SubmissionForm): FindPage =>
  async (c) => {
    const saved = findSavedEntries(deps, form, c.req.param('token') ?? '');
    return saved ? { kind: 'rejectedForm', ...saved } : c.redirect(`/${form}`, 303);
  };

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The draft requires quotes (RFC 9651 §3.3.3, String), but many clients omit them. */
function readKey(c: AppContext): string | null {
  const header = c.req.header(idempotencyKeyHeader);
  if (header === undefined) return null;
  const key = header.replace(/^"(.*)"$/, '$1').toLowerCase();
  return uuid.test(key) ? key : 'malformed';
}
