import SwaggerParser from '@apidevtools/swagger-parser';
import { problems } from '@app/contract/problems';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { documentOf } from '../testing/documented-responses.ts';
import { makeTestApp } from '../testing/test-app.ts';
import { operationsOf } from './document.ts';

test('the OpenAPI document is valid', async () => {
  await using testApp = await makeTestApp();
  const response = await testApp.browser().get('/api/openapi.json');
  const document = (await response.json()) as Parameters<typeof SwaggerParser.validate>[0];

  expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./) });
  await expect(SwaggerParser.validate(document)).resolves.toBeDefined();
});

test('documents every endpoint, and no other', async () => {
  await using testApp = await makeTestApp({ settings: { devPages: true } });
  const routes = testApp.app.routes
    .filter(({ path, method }) => !path.includes('*') && method !== 'ALL')
    .filter(({ path }) => /^\/(api|uploads|pictures)\//.test(path) && !path.startsWith('/api/dev/'))
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  const documented = operationsOf(await documentOf(testApp.app)).map(
    ({ method, path }) => `${method} ${path}`,
  );

  expect(documented.sort()).toEqual([...new Set(routes)].sort());
  expect(documented.length).toBeGreaterThan(40);
});

test('every operation has a summary, and no internal list of problems', async () => {
  await using testApp = await makeTestApp();
  for (const { method, path, operation } of operationsOf(await documentOf(testApp.app))) {
    expect(operation.summary, `${method} ${path}`).toMatch(/^[A-Z]/);
    expect(Object.keys(operation)).not.toContain('x-problems');
  }
});

test('every JSON body has an example that its endpoint accepts', async () => {
  await using testApp = await makeTestApp();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { method, path, operation } of operationsOf(await documentOf(testApp.app))) {
    const json = operation.requestBody?.content['application/json'];
    if (!json) continue;
    expect(json.example, `${method} ${path}`).toBeDefined();
    expect(ajv.validate(json.schema, json.example), ajv.errorsText()).toBe(true);
  }
});

test('every problem code has its anchor in /api/docs', async () => {
  await using testApp = await makeTestApp();
  const response = await testApp.browser().get('/api/docs');
  const text = await response.text();

  expect(response.headers.get('X-Robots-Tag')).toBe('noindex');
  expect(response.headers.get('Content-Security-Policy')).not.toContain('unsafe');
  for (const [code, { status }] of Object.entries(problems)) {
    expect(text).toMatch(new RegExp(`<dt id="${code}"><code>${code}</code> ${status}</dt>`));
  }
});

test('serves the interactive reference’s own files, and nothing else', async () => {
  await using testApp = await makeTestApp();
  const browser = testApp.browser();
  const text = await (await browser.get('/api/docs/reference')).text();
  const files = [...text.matchAll(/"(\/api\/docs\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(files).toHaveLength(3);
  for (const file of files) expect((await browser.get(file)).status).toBe(200);

  for (const name of ['package.json', '..%2fpackage.json', 'constructor']) {
    expect((await browser.get(`/api/docs/assets/${name}`)).status).toBe(404);
  }
});

test('every response of a test app is checked against the document', async () => {
  await using testApp = await makeTestApp();
  testApp.deps.formTokens.issue = () => 7 as never;
  await expect(testApp.browser().get('/api/forms/token')).rejects.toThrow(
    'GET /api/forms/token → 200 differs from its schema',
  );
});
