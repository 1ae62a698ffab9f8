import { feedEndpoint } from '../../blog/feeds/feed-endpoint.ts';
import { rss } from '../../blog/feeds/feeds.ts';

export const prerender = false;

/** A copy at the former URL, because static hosts cannot redirect feed readers. */
export const GET = feedEndpoint(rss, 'application/rss+xml');
