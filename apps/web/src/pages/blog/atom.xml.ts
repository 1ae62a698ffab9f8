import { feedEndpoint } from '../../blog/feeds/feed-endpoint.ts';
import { atom } from '../../blog/feeds/feeds.ts';

export const prerender = false;

export const GET = feedEndpoint(atom, 'application/atom+xml');
