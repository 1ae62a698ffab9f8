import { confirmation } from '@app/contract/accounts/sign-in';
import { newsletterMessages, newsletterSubscription } from '@app/contract/forms/newsletter';
import {
  type SubscribedReply,
  type SubscriptionConfirmedReply,
  subscribedReply,
  subscriptionConfirmedReply,
  type UnsubscribedReply,
  unsubscribedReply,
} from '@app/contract/forms/replies';
import { Hono } from 'hono';
import type { Deps } from '../../email/deps.ts';
import type { AppContext, AppEnv } from '../../server/context.ts';
import { describeEndpoint, queryParameters } from '../../server/describe-endpoint.ts';
import { bodyText, formPost, input, isFormPost } from '../../server/input.ts';
import type { FindPage } from '../../server/personal-pages.ts';
import { previousPage } from '../../server/previous-page.ts';
import { problem } from '../../server/problem.ts';
import { limitByClient } from '../../server/rate-limits/middleware.ts';
import { formPosts } from '../submit/submit.ts';
import {
  confirmSubscription,
  findConfirmationLink,
  isUnsubscribeLink,
  subscribe,
  unsubscribe,
} from './newsletter.ts';

const pages = {
  confirmed: '/newsletter/confirmed',
  deadLink: '/newsletter/dead-link',
  unsubscribed: '/newsletter/unsubscribed',
  unknownLink: '/newsletter/unknown-link',
  failed: '/newsletter/failed',
} as const;

/** The form is on every page, and redirects back to it. */
export function newsletterRoutes(deps: Deps) {
  const pageOfForm = (c: AppContext): string =>
    previousPage(c.req.header('Referer'), deps.settings.publicUrl);

  return (
    new Hono<AppEnv>()
      .post(
        '/',
        describeEndpoint({
          summary: 'Subscribe to the newsletter',
          description: 'Sends an email with a confirmation link.',
          replies: {
            201: {
              description: 'Subscribed, once the address is confirmed.',
              schema: subscribedReply,
            },
          },
          problems: ['already_subscribed'],
        }),
        formPost(pageOfForm, { noticePrefix: 'newsletter-' }),
        input(newsletterSubscription, { example: { email: 'vera@example.com' } }),
        limitByClient(deps, formPosts),
        async (c) => {
          if ((await subscribe(deps, c.req.valid('json'))) === 'already_subscribed') {
            const detail = newsletterMessages.alreadySubscribed.description;
            return problem(c, 'already_subscribed', detail);
          }
          if (isFormPost(c)) return c.redirect(`${pageOfForm(c)}#newsletter-subscribed`, 303);
          return c.json({ subscribed: true } satisfies SubscribedReply, 201);
        },
      )
      .post(
        '/confirm',
        describeEndpoint({
          summary: 'Confirm a subscription with the token of its email',
          replies: { 200: { description: 'Confirmed.', schema: subscriptionConfirmedReply } },
          problems: ['dead_link'],
        }),
        formPost(pages.failed),
        input(confirmation, { example: { token: 'token' } }),
        async (c) => {
          const isOnList = await confirmSubscription(deps, c.req.valid('json').token);
          if (isFormPost(c)) return c.redirect(isOnList ? pages.confirmed : pages.deadLink, 303);
          if (!isOnList) return problem(c, 'dead_link', newsletterMessages.deadLink);
          return c.json({ confirmed: true } satisfies SubscriptionConfirmedReply);
        },
      )
      /**
       * For email clients (RFC 8058) and for our page's button. Accepts any content type and
       * origin, because the token is enough.
       */
      .post(
        '/unsubscribe',
        describeEndpoint({
          summary: 'Unsubscribe',
          description: 'With one click, even in email clients (RFC 8058). Any body is accepted.',
          parameters: queryParameters({
            token: 'The token of the link in every newsletter email.',
          }),
          replies: { 200: { description: 'Unsubscribed.', schema: unsubscribedReply } },
          problems: ['dead_link'],
        }),
        // Email clients do not follow redirects.
        formPost((c) => (isOneClick(c) ? null : pages.failed)),
        async (c) => {
          const isKnown = await unsubscribe(deps, c.req.query('token') ?? '');
          if (isFormPost(c)) {
            return c.redirect(isKnown ? pages.unsubscribed : pages.unknownLink, 303);
          }
          if (!isKnown) return problem(c, 'dead_link', newsletterMessages.unknownLink);
          return c.json({ unsubscribed: true } satisfies UnsubscribedReply);
        },
      )
      /** For email clients without one-click unsubscribe. */
      .get(
        '/unsubscribe',
        describeEndpoint({
          summary: 'Open the page with the unsubscribe button',
          parameters: queryParameters({
            token: 'The token of the link in every newsletter email.',
          }),
          replies: { 303: { description: 'To the page.' } },
        }),
        (c) => {
          const token = encodeURIComponent(c.req.query('token') ?? '');
          return c.redirect(`/newsletter/unsubscribe?token=${token}`, 303);
        },
      )
  );
}

const isOneClick = (c: AppContext): boolean =>
  new URLSearchParams(bodyText(c)).has('List-Unsubscribe');

/** Only show a button, because programs that follow links must not change anything. */
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
