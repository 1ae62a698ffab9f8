import { messages } from '@app/contract/messages';
import { newsletterSubscription } from '@app/contract/newsletter';
import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import type { AppEnv } from '../http/context.ts';
import { readInput } from '../http/input.ts';
import { pageBefore } from '../http/page-before.ts';
import { problem } from '../http/problem.ts';
import { subscribe } from './newsletter.ts';

/** /api/newsletter. Its form is in the footer of every page, which is where a form post leads back to. */
export const newsletterRoutes = (deps: Deps) =>
  new Hono<AppEnv>().post('/', async (c) => {
    const page = pageBefore(c.req.header('Referer'), deps.settings.publicUrl);
    const input = await readInput(c, newsletterSubscription, { page, noticePrefix: 'newsletter-' });
    if ('refusal' in input) return input.refusal;
    const isNew = await subscribe(deps, input.value);
    if (!isNew) {
      return problem(c, 'already_subscribed', messages.newsletter.alreadySubscribed.description);
    }
    if (c.get('formPage') !== undefined) return c.redirect(`${page}#newsletter-subscribed`, 303);
    return c.json({ subscribed: true }, 201);
  });
