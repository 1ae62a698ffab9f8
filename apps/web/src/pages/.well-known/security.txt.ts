import { buildOrigin } from '@app/contract/pages';
import { company } from '@app/site/company';
import type { APIRoute } from 'astro';
import { expiryOf } from '../../head/security-txt.ts';
import { textResponse } from '../../head/text-response.ts';

/** /.well-known/security.txt (RFC 9116). */
export const GET: APIRoute = () =>
  textResponse([
    `Contact: mailto:${company.mailboxes.privacy}`,
    `Contact: ${buildOrigin}/contact`,
    `Expires: ${expiryOf(new Date())}`,
    'Preferred-Languages: en',
    `Canonical: ${buildOrigin}/.well-known/security.txt`,
  ]);
