import { expect, test } from 'vitest';
import { features } from '../features.ts';
import { makeTestApp } from '../testing/test-app.ts';
import { apiPathsOf } from './api-paths.ts';

const covers = (pattern: string, path: string): boolean =>
  pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path;

test('covers exactly the routes of the API and the pages that it renders per request', async () => {
  await using testApp = await makeTestApp();
  const apiPaths = apiPathsOf(features);
  const routes = [...new Set(testApp.app.routes.map(({ path }) => path))].filter(
    (path) => !path.includes('*'),
  );
  expect(routes.filter((path) => !apiPaths.some((pattern) => covers(pattern, path)))).toEqual([]);
  expect(apiPaths.filter((pattern) => !routes.some((path) => covers(pattern, path)))).toEqual([]);
});

test('omits paths that another pattern covers', () => {
  const create = () => ({ find: () => new Response() });
  const personalPages = {
    '/blog/:slug': create,
    '/blog/search': create,
    '/blogs': create,
    '/careers/again/:token': create,
  };
  expect(apiPathsOf([{ name: 'pages', personalPages }])).toEqual([
    '/api/*',
    '/blog/*',
    '/blogs',
    '/careers/again/*',
  ]);
});
