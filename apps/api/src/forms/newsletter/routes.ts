import { confirmation } from '@app/contract/accounts/sign-in';
import { newsletterSubscription } from '@app/contract/forms/newsletter';
import { messages } from '@app/contract/messages';
import { Hono } from 'hono';
import type { Deps } from '../../email/deps.ts';
import type { AppContext, AppEnv } from '../../server/context.ts';
import { bodyText, noteFormPost, readInput } from '../../server/input.ts';
import type { FindPage } from '../../server/personal-pages.ts';
import { previousPage } from '../../server/previous-page.ts';
import { problem } from '../../server/problem.ts';
import { refuseTooMany } from '../../server/rate-limits.ts';
import { formPostLimit } from '../submit/submit.ts';
import {
  confirmSubscription,
  findConfirmationLink,
  isUnsubscribeLink,
  subscribe,
  unsubscribe,
} from './newsletter.ts';

/** What a person is told after a mailed link. The pages are apps/web's. */
const pages = {
  confirmed: '/newsletter/confirmed',
  deadLink: '/newsletter/dead-link',
  unsubscribed: '/newsletter/unsubscribed',
  unknownLink: '/newsletter/unknown-link',
  failed: '/newsletter/failed',
} as const;

/** /api/newsletter. The form is in the footer of every page, which is where its post leads back to. */
export function newsletterRoutes(deps: Deps) {
  const posts = formPostLimit(deps);
  return (
    new Hono<AppEnv>()
      .post('/', async (c) => {
        const page = previousPage(c.req.header('Referer'), deps.settings.publicUrl);
        const form = { page, noticePrefix: 'newsletter-' };
        const input = readInput(c, newsletterSubscription, form);
        if ('refusal' in input) return input.refusal;
        const refusal = await refuseTooMany(c, deps, posts);
        if (refusal) return refusal;
        if ((await subscribe(deps, input.value)) === 'already_subscribed') {
          return problem(
            c,
            'already_subscribed',
            messages.newsletter.alreadySubscribed.description,
          );
        }
        if (isFormPost(c)) return c.redirect(`${page}#newsletter-subscribed`, 303);
        return c.json({ subscribed: true }, 201);
      })
      .post('/confirm', async (c) => {
        const input = readInput(c, confirmation, { page: pages.failed });
        if ('refusal' in input) return input.refusal;
        const isOnList = await confirmSubscription(deps, input.value.token);
        if (isFormPost(c)) return c.redirect(isOnList ? pages.confirmed : pages.deadLink, 303);
        if (!isOnList) return problem(c, 'dead_link', messages.newsletter.deadLink);
        return c.json({ confirmed: true });
      })
      /**
       * Called by mail programs themselves (RFC 8058) and by the button of our page, in any
       * content type and from no origin: the token in the address says it all.
       */
      .post('/unsubscribe', async (c) => {
        const body = new URLSearchParams(bodyText(c));
        // A mail program does not follow a redirect to a page.
        if (!body.has('List-Unsubscribe')) noteFormPost(c, pages.failed);
        const isKnown = await unsubscribe(deps, c.req.query('token') ?? '');
        if (isFormPost(c)) return c.redirect(isKnown ? pages.unsubscribed : pages.unknownLink, 303);
        if (!isKnown) return problem(c, 'dead_link', messages.newsletter.unknownLink);
        return c.json({ unsubscribed: true });
      })
      /** Opened by mail programs that know no one-click: their person gets the page with the button. */
      .get('/unsubscribe', (c) => {
        const token = encodeURIComponent(c.req.query('token') ?? '');
        return c.redirect(`/newsletter/unsubscribe?token=${token}`, 303);
      })
  );
}

/** The pages that mailed links open. They only show a button: programs that follow links change nothing. */
export const confirmPage =
  (deps: Deps): FindPage =>
  (c) => {
    const token = c.req.query('token') ?? '';
    const link = findConfirmationLink(deps, token);
    if (link === 'open') return { kind: 'newsletterConfirm', token };
    return c.redirect(link === 'used' ? pages.confirmed : pages.deadLink, 303);
  };

export const unsubscribePage =
  (deps: Deps): FindPage =>
  (c) => {
    const token = c.req.query('token') ?? '';
    if (!isUnsubscribeLink(deps, token)) return c.redirect(pages.unknownLink, 303);
    return { kind: 'newsletterUnsubscribe', token };
  };

const isFormPost = (c: AppContext): boolean => c.get('formPage') !== undefined;
