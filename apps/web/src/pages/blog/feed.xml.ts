import { feedEndpoint } from '../../blog/feeds/feed-endpoint.ts';
import { rss } from '../../blog/feeds/feeds.ts';

export const prerender = false;

/** The former URL, on static hosts: a copy, because feed readers follow no redirect inside a file. */
export const GET = feedEndpoint(rss, 'application/rss+xml');
