import { describe, expect, it } from 'vitest';
import { reachingInside, strayHttp } from './features.ts';
import { sourceFiles } from './sources.ts';

describe('HTTP', () => {
  it('stays in the app, http/ and routes.ts', () => {
    expect(strayHttp(sourceFiles)).toEqual([]);
  });

  it.each([
    ['apps/api/src/blog/blog.ts', "import { Hono } from 'hono';"],
    ['apps/api/src/blog/blog.ts', "import type { Context } from 'hono';"],
    ['apps/api/src/mail/outbox.ts', "import { createMiddleware } from 'hono/factory';"],
    ['apps/api/src/contact/contact.ts', "import { serve } from '@hono/node-server';"],
  ])('strays into %s with %s', (path, source) => {
    expect(strayHttp([{ path, source }])).toHaveLength(1);
  });

  it.each(['app.ts', 'http/problem.ts', 'blog/routes.ts', 'blog/blog.test.ts'])(
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
    ['apps/api/src/contact/contact.ts', "import { post } from '../blog/blog.ts';"],
    ['apps/api/src/contact/contact.ts', "import type { Post } from '../blog/blog.ts';"],
    ['apps/api/src/contact/routes.ts', "import { routes } from '../blog/routes.ts';"],
    ['apps/api/src/http/session.ts', "import { routes } from '../accounts/routes.ts';"],
    ['apps/api/src/mail/outbox.ts', "import { contact } from '../contact/contact.ts';"],
    ['apps/api/src/main.ts', "import { testApp } from './testing/test-app.ts';"],
  ])('are broken by %s with %s', (path, source) => {
    expect(reachingInside([{ path, source }])).toHaveLength(1);
  });

  it.each([
    ['apps/api/src/app.ts', "import { blog } from './blog/routes.ts';"],
    ['apps/api/src/blog/routes.ts', "import { posts } from './posts.ts';"],
    ['apps/api/src/blog/routes.ts', "import { problem } from '../http/problem.ts';"],
    ['apps/api/src/blog/posts.ts', "import { clock } from '../clock.ts';"],
    ['apps/api/src/blog/posts.test.ts', "import { testApp } from '../testing/test-app.ts';"],
    ['apps/api/src/testing/test-app.ts', "import { Sessions } from '../accounts/sessions.ts';"],
    ['apps/api/src/blog/posts.ts', "import type { User } from '../accounts/sessions.ts';"],
  ])('allow %s with %s', (path, source) => {
    expect(reachingInside([{ path, source }])).toEqual([]);
  });
});
