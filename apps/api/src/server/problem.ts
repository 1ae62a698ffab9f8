import type { EditConflict } from '@app/contract/blog/edit-conflict';
import { type InputIssue, type Problem, type ProblemCode, problems } from '@app/contract/problems';
import type { AppContext } from './context.ts';
import { redirectToSignIn } from './redirect-to-sign-in.ts';

interface More {
  issues?: InputIssue[];
  /** Of `edit_conflict`. */
  conflict?: EditConflict;
  headers?: Record<string, string>;
  /** Instead of the code's notice on the form's page. */
  notice?: string;
}

/**
 * A failed request: application/problem+json (RFC 9457), or for a form post without JavaScript a
 * 303 to the form's page or to the sign-in page.
 * @param detail for the user; causes are logged
 */
export function problem(
  c: AppContext,
  code: ProblemCode,
  detail: string,
  { issues, conflict, headers = {}, notice }: More = {},
): Response {
  const known: { status: number; title: string; notice?: string } = problems[code];
  const formPage = c.get('formPage');
  if (formPage !== undefined) {
    if (code === 'not_signed_in') return redirectToSignIn(c, formPage);
    return c.redirect(
      `${formPage}#${c.get('noticePrefix') ?? ''}${notice ?? known.notice ?? 'failed'}`,
      303,
    );
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
    ...(conflict && { conflict }),
  };
  return c.body(JSON.stringify(body), status, {
    ...headers,
    'Content-Type': 'application/problem+json; charset=utf-8',
  });
}
