import type { ProblemCode } from '@app/contract/problems';
import type { createApp } from '../app.ts';
import { operationsOf } from '../docs/document.ts';
import { documentOf } from './documented-responses.ts';

interface ChangingEndpoint {
  /** Method and path: POST /api/contact */
  name: string;
  /** A valid body, unless the URL is enough. */
  body?: object;
  /** The field of a multipart body that holds a file, and the file's maximum size in bytes. */
  file?: { field: string; maxBytes: number };
  needsSession: boolean;
  /** Where it redirects to, followed by a notice, if only forms without JavaScript use it. */
  formPage?: string;
  /** How it refuses a request without its secret, where that replaces the origin check. */
  withoutPermission?: ProblemCode;
  /** It accepts a body, but does not change the database. */
  isReading?: true;
}

/** What the OpenAPI document does not say. */
const exceptions: Record<
  string,
  Pick<ChangingEndpoint, 'formPage' | 'withoutPermission' | 'isReading'>
> = {
  'POST /api/profile/avatar': { formPage: '/profile#avatar-' },
  'POST /api/newsletter/unsubscribe': { withoutPermission: 'dead_link' },
  'POST /api/posts/preview': { isReading: true },
  'POST /api/posts/presence': { isReading: true },
  'POST /api/client-errors': { isReading: true },
  'POST /api/mail/resend-events': { withoutPermission: 'not_configured' },
};

export async function changingEndpoints(
  app: ReturnType<typeof createApp>,
): Promise<ChangingEndpoint[]> {
  return operationsOf(await documentOf(app))
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, operation: { security = [], requestBody } }) => {
      const name = `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
      const { 'application/json': json, 'multipart/form-data': multipart } =
        requestBody?.content ?? {};
      const [[field, { maxLength = 0 }] = ['', {}]] = Object.entries(
        multipart?.schema.properties ?? {},
      );
      return {
        name,
        ...(json?.example && { body: json.example }),
        ...(multipart && { file: { field, maxBytes: maxLength } }),
        needsSession: security.length > 0 && !security.some((any) => Object.keys(any).length === 0),
        ...exceptions[name],
      };
    });
}
