import { type FormTokenReply, formTokenReply } from '@app/contract/forms/replies';
import { Hono } from 'hono';
import type { AppEnv } from '../../server/context.ts';
import { describeEndpoint } from '../../server/describe-endpoint.ts';
import type { Deps } from './deps.ts';

export const formRoutes = ({ formTokens }: Deps) =>
  new Hono<AppEnv>().get(
    '/token',
    describeEndpoint({
      summary: 'Get a signed timestamp for a form that was opened',
      replies: { 200: { description: 'For the field `formToken`.', schema: formTokenReply } },
    }),
    (c) => c.json<FormTokenReply>({ token: formTokens.issue() }),
  );
