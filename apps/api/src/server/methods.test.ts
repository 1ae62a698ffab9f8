import { expect, test } from 'vitest';
import { allowedMethods } from './methods.ts';

const routes = [
  { method: 'ALL', path: '/*' },
  { method: 'POST', path: '*' },
  { method: 'GET', path: '/api/posts' },
  { method: 'POST', path: '/api/posts' },
  { method: 'GET', path: '/api/posts/:slug' },
  { method: 'PATCH', path: '/api/posts/:id' },
  { method: 'POST', path: '/api/posts/:id/restore' },
  { method: 'GET', path: '/api/openapi.json' },
];

test.each([
  ['/api/posts', ['GET', 'HEAD', 'POST']],
  ['/api/posts/first', ['GET', 'HEAD', 'PATCH']],
  ['/api/posts/first/restore', ['POST']],
  ['/api/openapi.json', ['GET', 'HEAD']],
  ['/api/openapiXjson', []],
  ['/api/posts/', []],
  ['/api/posts/a/b', []],
  ['/api/nothing', []],
])('%s allows %j', (path, methods) => {
  expect(allowedMethods(routes, path)).toEqual(methods);
});
