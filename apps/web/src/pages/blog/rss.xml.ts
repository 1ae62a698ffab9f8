import { feedEndpoint } from '../../blog/feeds/feed-endpoint.ts';
import { rss } from '../../blog/feeds/feeds.ts';

export const prerender = false;

export const GET = feedEndpoint(rss, 'application/rss+xml');
