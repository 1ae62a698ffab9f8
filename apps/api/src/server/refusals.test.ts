import type { PostSaved } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import { type Problem, type ProblemCode, problems } from '@app/contract/problems';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examplePost as post } from '../blog/routes.ts';
import { changingEndpoints } from '../testing/changing-endpoints.ts';
import { settledRows } from '../testing/tables.ts';
import { makeTestApp, publicUrl, signedInBrowser, type TestBrowser } from '../testing/test-app.ts';

const testApp = await makeTestApp({ publishes: true });
const all = await changingEndpoints(testApp.app);
const withBody = all.flatMap(({ body, ...endpoint }) => (body ? [{ ...endpoint, body }] : []));
const withFile = all.flatMap(({ file, ...endpoint }) => (file ? [{ ...endpoint, ...file }] : []));
/** An endpoint that accepts a body and needs no session. */
const example = {
  name: 'POST /api/careers',
  body: all.find(({ name }) => name === 'POST /api/careers')?.body ?? {},
};
const json = { 'Content-Type': 'application/json' };
const multipart = { 'Content-Type': 'multipart/form-data; boundary=x' };

let ann: TestBrowser;
let postId: string;

beforeAll(async () => {
  ann = await signedInBrowser(testApp);
  const response = await ann.post('/api/posts', { ...post, slug: 'first' });
  postId = ((await response.json()) as PostSaved).post.id;
});
afterAll(() => testApp[Symbol.asyncDispose]());

/** Each route of the app once, without the middleware of the whole app. */
const routes = () => {
  const all = testApp.app.routes.filter(({ path }) => !path.includes('*'));
  return [...new Map(all.map((route) => [`${route.method} ${route.path}`, route])).values()];
};

const urlOf = (path: string): string =>
  path.replace(/:(?:post|id)/, postId).replace(':version', '1');

/** Sends Ann's request, and expects this refusal and no changed row. */
async function expectRefusal(
  name: string,
  code: ProblemCode,
  init: RequestInit & { duplex?: 'half' },
  browser: TestBrowser = ann,
): Promise<Problem> {
  const [method = '', path = ''] = name.split(' ');
  const before = await settledRows(testApp);
  const response = await browser.request(method, urlOf(path), init);

  const problem = await expectProblem(response, code);
  await testApp.deps.outbox.drain();
  expect(await settledRows(testApp)).toEqual(before);
  return problem;
}

/** Like `expectRefusal`, for a form without JavaScript: it redirects to a notice on its page. */
async function expectRedirectToNotice(
  name: string,
  page: string,
  init: RequestInit & { duplex?: 'half' },
): Promise<void> {
  const [method = '', path = ''] = name.split(' ');
  const before = await settledRows(testApp);
  const response = await ann.request(method, urlOf(path), init);
  expect([response.status, response.headers.get('Location')]).toEqual([303, page]);
  expect(await settledRows(testApp)).toEqual(before);
}

async function expectProblem(response: Response, code: ProblemCode): Promise<Problem> {
  const { status, title } = problems[code];
  expect(response.status).toBe(status);
  expect(response.headers.get('Content-Type')).toBe('application/problem+json; charset=utf-8');
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  const problem = (await response.json()) as Problem;
  expect(problem).toEqual({
    type: `/api/docs#${code}`,
    title,
    status,
    detail: expect.stringMatching(/\w/),
    code,
    requestId: response.headers.get('X-Request-Id'),
    ...(code === 'invalid_input' && { issues: expect.any(Array) }),
  });
  expect(problem.requestId).toMatch(/^[\da-f-]{36}$/);
  return problem;
}

test('covers every route that changes something', () => {
  const changing = routes()
    .filter(({ method }) => !['ALL', 'GET'].includes(method))
    .map(({ method, path }) => `${method} ${path}`);
  expect(changing.sort()).toEqual(all.map(({ name }) => name).sort());
});

// Middleware works alike for every endpoint: one endpoint is tested with every case, and every
// endpoint with one case.
describe('origins', () => {
  const withoutOrigin = (name: string, body: unknown) => {
    const [method = '', path = ''] = name.split(' ');
    return testApp.app.request(urlOf(path), {
      method,
      headers: { ...json, Cookie: `session=${ann.cookies.get('session')}` },
      body: JSON.stringify(body) ?? null,
    });
  };

  test.each(all)(
    '$name refuses requests from another site or without an origin',
    async (endpoint) => {
      const { name, body, withoutPermission = 'forbidden_origin' } = endpoint;
      const headers = { ...json, Origin: 'https://evil.example' };
      await expectRefusal(name, withoutPermission, { headers, body: JSON.stringify(body) ?? null });

      const before = await settledRows(testApp);
      await expectProblem(await withoutOrigin(name, body), withoutPermission);
      expect(await settledRows(testApp)).toEqual(before);
    },
  );

  test.each([
    'null',
    `${publicUrl}.evil.example`,
    publicUrl.replace('http', 'https'),
    `${publicUrl}/`,
    '',
  ])('rejects %j', async (origin) => {
    const init = { headers: { ...json, Origin: origin }, body: JSON.stringify(example.body) };
    await expectRefusal(example.name, 'forbidden_origin', init);
  });

  test.each([
    'PUT /api/newsletter/unsubscribe',
    'DELETE /api/newsletter/unsubscribe',
    'POST /api/newsletter/unsubscribe/',
    'POST /api//newsletter/unsubscribe',
    'POST /api/mail/resend-events/more',
  ])('%s is not exempt from the origin check', async (name) => {
    await expectRefusal(name, 'forbidden_origin', { headers: { Origin: 'https://evil.example' } });
  });
});

describe('sizes', () => {
  test.each(all)('$name refuses a body that is over its limit', async (endpoint) => {
    const { name, file, formPage } = endpoint;
    // A body may be 64 kB larger than its file.
    const ordinary = name.includes('/api/posts') ? limits.postBodyBytes : limits.bodyBytes;
    const max = file ? file.maxBytes + 65_536 : ordinary;
    const type = file ? multipart : json;
    const init = { headers: type, body: streamOf(max), duplex: 'half' } as const;
    await (formPage
      ? expectRedirectToNotice(name, `${formPage}too-large`, init)
      : expectRefusal(name, 'body_too_large', init));
  });

  /** A body of slightly more bytes, without a Content-Length. */
  function streamOf(bytes: number): ReadableStream<Uint8Array> {
    const chunk = new TextEncoder().encode('x'.repeat(64 * 1_024));
    let sent = 0;
    return new ReadableStream({
      pull: (controller) => {
        sent += chunk.length;
        controller.enqueue(chunk);
        if (sent > bytes) controller.close();
      },
    });
  }
});

test.each(all.filter(({ needsSession }) => needsSession))(
  '$name refuses visitors without a session',
  async ({ name, body }) => {
    for (const session of [undefined, 'forged']) {
      const visitor = testApp.browser();
      if (session) visitor.cookies.set('session', session);
      const init = { headers: json, body: JSON.stringify(body) ?? null };
      await expectRefusal(name, 'not_signed_in', init, visitor);
    }
  },
);

describe('JSON bodies', () => {
  const sendText = (name: string, code: ProblemCode, body: string, type = json['Content-Type']) =>
    expectRefusal(name, code, { headers: { 'Content-Type': type }, body });

  const withField = (body: object, field: string) =>
    JSON.stringify(body).replace('{', `{${JSON.stringify(field)}:"x",`);

  test.each(withBody)('$name accepts only a JSON object', async ({ name, body }) => {
    await sendText(name, 'malformed_body', '{');
    await sendText(name, 'invalid_input', '[]');
    await sendText(name, 'unsupported_media_type', JSON.stringify(body), 'text/plain');
  });

  test.each(withBody)('$name refuses fields of the wrong type', async ({ name, body }) => {
    for (const field of Object.keys(body)) {
      for (const value of [0.5, ['x'], { $ne: '' }]) {
        const text = JSON.stringify({ ...body, [field]: value });
        const problem = await sendText(name, 'invalid_input', text);
        expect(problem.issues).toEqual([{ path: field, message: expect.stringMatching(/\w/) }]);
      }
    }
  });

  test.each(withBody)('$name refuses unknown fields', async ({ name, body }) => {
    for (const field of ['surprise', '__proto__']) {
      const problem = await sendText(name, 'invalid_input', withField(body, field));
      expect(problem.issues).toEqual([{ path: field, message: messages.field.unknown }]);
    }
  });

  test.each(['', '{"a":1,}', "{'a':1}", 'undefined', '{}{}', '\u0000'])(
    'rejects %j as JSON',
    async (text) => {
      await sendText(example.name, 'malformed_body', text);
    },
  );

  test.each(['null', '1', '"text"', 'true', '[{}]'])(
    'rejects %s, which is not an object',
    async (text) => {
      await sendText(example.name, 'invalid_input', text);
    },
  );

  test.each(['id', 'authorId', 'role', 'constructor', 'toString'])(
    'rejects the unknown field %s',
    async (field) => {
      const text = withField(example.body, field);
      const { issues } = await sendText(example.name, 'invalid_input', text);
      expect(issues).toEqual([{ path: field, message: messages.field.unknown }]);
    },
  );

  test.each([
    'application/json5',
    'application/problem+json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded-not',
    '',
  ])('rejects the content type %j', async (type) => {
    const text = JSON.stringify(example.body);
    await sendText(example.name, 'unsupported_media_type', text, type);
  });

  test('rejects a body without a content type', async () => {
    const body = new TextEncoder().encode(JSON.stringify(example.body));
    await expectRefusal(example.name, 'unsupported_media_type', { body });
  });
});

describe.each(withFile)('$name', ({ name, field, maxBytes, formPage }) => {
  const bodyWith = (value: string | File, as = field): RequestInit => {
    const form = new FormData();
    form.set(as, value);
    return { body: form };
  };

  test.each([
    '',
    'x',
    '--x',
    '--x\r\n\r\n--x--',
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nnever ends',
    '--y\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n\r\n--y--',
  ])('rejects %j, which is not a multipart body', async (text) => {
    const init = { headers: multipart, body: text };
    if (formPage) await expectRedirectToNotice(name, `${formPage}failed`, init);
    else await expectRefusal(name, 'malformed_body', init);
  });

  test.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=b; boundary=x',
    'multipart/form-data; xboundary=x; boundary=b',
  ])('rejects %j, which does not match the boundary of the body', async (type) => {
    const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n';
    const init = { headers: { 'Content-Type': type }, body: `--x\r\n${part.repeat(20)}--b--\r\n` };
    if (formPage) await expectRedirectToNotice(name, `${formPage}failed`, init);
    else await expectRefusal(name, 'malformed_body', init);
  });

  test('refuses a body without a file', async () => {
    const named = new File(['x'], 'a.png');
    for (const init of [
      bodyWith('text'),
      bodyWith(named, 'surprise'),
      bodyWith(new File([], '')),
    ]) {
      if (formPage) await expectRedirectToNotice(name, `${formPage}no-file`, init);
      else {
        const { issues } = await expectRefusal(name, 'invalid_input', init);
        expect(issues).toEqual([{ path: field, message: expect.stringMatching(/\w/) }]);
      }
    }
  });

  test('refuses a file that is too large', async () => {
    const init = bodyWith(new File([new Uint8Array(maxBytes + 1)], 'a.png'));
    if (formPage) await expectRedirectToNotice(name, `${formPage}too-large`, init);
    else await expectRefusal(name, 'body_too_large', init);
  });

  test.each([
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/mixed; boundary=x',
    'image/png',
    '',
  ])('refuses the content type %j', async (type) => {
    const init = { headers: { 'Content-Type': type }, body: 'x' };
    await expectRefusal(name, 'unsupported_media_type', init);
  });
});

test('accepts the example body of every endpoint', async () => {
  await using other = await makeTestApp({ publishes: true });
  for (const [index, { name, body }] of withBody.entries()) {
    // Each with a new user, because some endpoints delete what the next one needs.
    const browser = await signedInBrowser(other, `ann-${index}@example.com`);
    const created = await browser.post('/api/posts', { ...post, slug: `first-${index}` });
    const { id } = ((await created.json()) as PostSaved).post;
    const [method = '', path = ''] = name.split(' ');
    const type = { 'Content-Type': 'Application/JSON; charset=utf-8' };
    const init = { headers: type, body: JSON.stringify(body) };
    const response = await browser.request(
      method,
      path.replace(/:(?:post|id)/, id).replace(':version', '1'),
      init,
    );
    const { code } = JSON.parse((await response.text()) || '{}') as { code?: ProblemCode };
    const refused: unknown[] = [
      'malformed_body',
      'invalid_input',
      'unsupported_media_type',
      'not_signed_in',
      'internal',
    ];
    expect(refused, `${name}: ${code}`).not.toContain(code);
  }
});

test('refuses other methods and lists the allowed ones', async () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'];
  const paths = new Set(routes().map(({ path }) => path));
  // One pattern covers another: /api/auth/sessions/:id also matches /api/auth/sessions/end-others.
  const covers = (pattern: string, path: string) =>
    new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path);
  for (const path of paths) {
    const taken = routes()
      .filter((route) => covers(route.path, path))
      .map(({ method }) => method);
    const allowed = new Set([...taken, ...(taken.includes('GET') ? ['HEAD'] : [])]);
    for (const method of methods.filter((name) => !allowed.has(name))) {
      const before = await settledRows(testApp);
      const response = await ann.request(method, urlOf(path));
      expect([path, method, response.headers.get('Allow')]).toEqual([
        path,
        method,
        [...allowed].sort().join(', '),
      ]);
      if (method === 'HEAD') expect(response.status).toBe(405);
      else await expectProblem(response, 'method_not_allowed');
      expect(await settledRows(testApp)).toEqual(before);
    }
  }
  expect(paths.size).toBeGreaterThan(8);
});

test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  'rejects %s to an unknown path',
  async (method) => {
    for (const path of [
      '/api/',
      '/api/nothing',
      '/api/posts/a/b/c',
      '/api/contact/',
      '/api//posts',
    ]) {
      await expectRefusal(`${method} ${path}`, 'not_found', {});
    }
  },
);

test('serves the 404 page for missing pages', async () => {
  const response = await testApp.browser().get('/no-such-page');
  expect(response.status).toBe(404);
  expect(response.headers.get('Content-Type')).toMatch(/^text\/html/);
  expect(await response.text()).toContain('Oops! Page not found');
});

test('gives every request a unique id', async () => {
  const ids = await Promise.all(
    Array.from({ length: 10 }, async () =>
      (await ann.get('/api/nothing')).headers.get('X-Request-Id'),
    ),
  );
  expect(new Set(ids).size).toBe(10);
});
