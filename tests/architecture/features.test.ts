import { describe, expect, it } from 'vitest';
import { reachingInside, strayHttp } from './features.ts';
import { sourceFiles } from './sources.ts';

describe('HTTP', () => {
  it('stays in the app, server/ and routes.ts', () => {
    expect(strayHttp(sourceFiles)).toEqual([]);
  });

  it.each([
    ['apps/api/src/blog/blog.ts', "import { Hono } from 'hono';"],
    ['apps/api/src/blog/blog.ts', "import type { Context } from 'hono';"],
    ['apps/api/src/email/outbox.ts', "import { createMiddleware } from 'hono/factory';"],
    ['apps/api/src/forms/contact/contact.ts', "import { serve } from '@hono/node-server';"],
  ])('strays into %s with %s', (path, source) => {
    expect(strayHttp([{ path, source }])).toHaveLength(1);
  });

  it.each(['app.ts', 'server/problem.ts', 'blog/routes.ts', 'blog/blog.test.ts'])(
    'is at home in %s',
    (name) => {
      const file = { path: `apps/api/src/${name}`, source: "import { Hono } from 'hono';" };
      expect(strayHttp([file])).toEqual([]);
    },
  );
});

describe('features', () => {
  it('do not reach into each other', () => {
    expect(reachingInside(sourceFiles)).toEqual([]);
  });

  it.each([
    ['apps/api/src/forms/contact/contact.ts', "import { post } from '../../blog/blog.ts';"],
    ['apps/api/src/forms/contact/contact.ts', "import type { Post } from '../../blog/blog.ts';"],
    ['apps/api/src/forms/contact/routes.ts', "import { routes } from '../../blog/routes.ts';"],
    ['apps/api/src/server/input.ts', "import { routes } from '../accounts/sign-in/routes.ts';"],
    ['apps/api/src/email/outbox.ts', "import { contact } from '../forms/contact/contact.ts';"],
    ['apps/api/src/main.ts', "import { testApp } from './testing/test-app.ts';"],
  ])('are broken by %s with %s', (path, source) => {
    expect(reachingInside([{ path, source }])).toHaveLength(1);
  });

  it.each([
    ['apps/api/src/app.ts', "import { blog } from './blog/routes.ts';"],
    ['apps/api/src/blog/routes.ts', "import { posts } from './posts.ts';"],
    ['apps/api/src/blog/routes.ts', "import { problem } from '../server/problem.ts';"],
    ['apps/api/src/blog/posts.ts', "import { clock } from '../clock.ts';"],
    ['apps/api/src/blog/posts.test.ts', "import { testApp } from '../testing/test-app.ts';"],
    [
      'apps/api/src/testing/test-app.ts',
      "import { Sessions } from '../accounts/sessions/sessions.ts';",
    ],
    ['apps/api/src/blog/posts.ts', "import type { User } from '../accounts/sessions/sessions.ts';"],
  ])('allow %s with %s', (path, source) => {
    expect(reachingInside([{ path, source }])).toEqual([]);
  });
});
