import { type Problem, type ProblemCode, problems } from '@app/contract/problems';
import type { AppContext } from './context.ts';
import { redirectToSignIn } from './redirect-to-sign-in.ts';

/** Members of every problem. All others are extension members (RFC 9457, section 3.2). */
type CommonMember = 'type' | 'title' | 'status' | 'detail' | 'code' | 'requestId';

interface More extends Omit<Problem, CommonMember> {
  headers?: Record<string, string>;
  /** Replaces the code's notice on the form's page. */
  notice?: string;
}

interface Known {
  status: number;
  title: string;
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
  { headers = {}, notice, ...extensions }: More = {},
): Response {
  const { status, title, notice: knownNotice }: Known = problems[code];
  const formPage = c.get('formPage');
  if (formPage !== undefined) {
    if (code === 'not_signed_in') return redirectToSignIn(c, formPage);
    const target = notice ?? knownNotice ?? 'failed';
    return c.redirect(`${formPage}#${c.get('noticePrefix') ?? ''}${target}`, 303);
  }

  const body: Problem = {
    type: `/api/docs#${code}`,
    title,
    status,
    detail,
    code,
    requestId: c.get('requestId'),
    ...extensions,
  };
  return c.body(JSON.stringify(body), problems[code].status, {
    ...headers,
    'Content-Type': 'application/problem+json; charset=utf-8',
  });
}
