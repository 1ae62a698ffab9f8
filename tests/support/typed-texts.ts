import type { BrowserContext, Request } from 'playwright/test';

const personal: ReadonlySet<string> = new Set([
  'email',
  'name',
  'fullName',
  'phone',
  'company',
  'message',
  'resumeLink',
  'password',
]);

/** Any line can contain shorter texts, or names of fields, which tests also use as passwords. */
const isDistinctive = (text: string): boolean => text.length >= 8 && !personal.has(text);

/** Reports contain the messages of scripts, which are logged on purpose. */
const errorReports = '/api/client-errors';

/** Personal data that the tests of this worker typed and the server received. */
const typedTexts = new Set<string>();

export function recordTypedTexts(context: BrowserContext): void {
  context.on('request', (request) => {
    if (request.method() === 'GET' || request.url().endsWith(errorReports)) return;
    for (const [field, value] of fieldsOf(request)) {
      if (!personal.has(field) || typeof value !== 'string') continue;
      const text = value.trim().toLowerCase();
      if (isDistinctive(text)) typedTexts.add(text);
    }
  });
}

function fieldsOf(request: Request): Iterable<[string, unknown]> {
  const body = request.postData() ?? '';
  const type = request.headers()['content-type'] ?? '';
  if (type.startsWith('application/x-www-form-urlencoded')) return new URLSearchParams(body);
  // Playwright does not see the bodies of beacons.
  if (!type.startsWith('application/json') || body === '') return [];
  return Object.entries(JSON.parse(body) as object);
}

/** The typed texts that a log contains, plain or encoded. */
export function typedTextsIn(lines: readonly object[]): string[] {
  const log = lines.map((line) => JSON.stringify(line).toLowerCase()).join('\n');
  return [...typedTexts].filter((text) =>
    [JSON.stringify(text).slice(1, -1), encodeURIComponent(text).toLowerCase()].some((form) =>
      log.includes(form),
    ),
  );
}
