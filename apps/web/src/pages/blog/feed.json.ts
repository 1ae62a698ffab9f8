import { feedEndpoint } from '../../blog/feeds/feed-endpoint.ts';
import { jsonFeed } from '../../blog/feeds/feeds.ts';

export const prerender = false;

export const GET = feedEndpoint(jsonFeed, 'application/feed+json');
