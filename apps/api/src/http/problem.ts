import { type InputIssue, type Problem, type ProblemCode, problems } from '@app/contract/problems';
import type { AppContext } from './context.ts';

interface More {
  issues?: InputIssue[];
  headers?: Record<string, string>;
}

/**
 * The notices of a form's page, by what went wrong. Each is the id of an element
 * that shows when the address ends in it.
 */
const notices: Partial<Record<ProblemCode, string>> = {
  invalid_input: 'invalid',
  slug_taken: 'slug-taken',
  already_subscribed: 'already-subscribed',
  invalid_credentials: 'invalid-credentials',
  email_not_confirmed: 'not-confirmed',
};

/**
 * Answers a failed call: application/problem+json (RFC 9457), or for a browser's
 * own form post a 303 to the page of the form, at the notice that fits.
 * `detail` is for the person who called; causes go to the log.
 */
export function problem(
  c: AppContext,
  code: ProblemCode,
  detail: string,
  { issues, headers = {} }: More = {},
): Response {
  const formPage = c.get('formPage');
  if (formPage !== undefined) {
    const notice = `${c.get('noticePrefix') ?? ''}${notices[code] ?? 'failed'}`;
    return c.redirect(`${formPage}#${notice}`, 303);
  }

  const { status, title } = problems[code];
  const body: Problem = {
    type: `/api/docs#${code}`,
    title,
    status,
    detail,
    code,
    requestId: c.get('requestId'),
    ...(issues && { issues }),
  };
  return c.body(JSON.stringify(body), status, {
    ...headers,
    'Content-Type': 'application/problem+json; charset=utf-8',
  });
}
