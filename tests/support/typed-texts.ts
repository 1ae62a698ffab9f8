import type { BrowserContext, Request } from 'playwright/test';

/** Fields about people. */
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

/** Shorter ones may be in any line, as may the names of fields, which are bad passwords, too. */
const isDistinctive = (text: string): boolean => text.length >= 8 && !personal.has(text);

/** Its messages are those of scripts, and are logged. */
const errorReports = '/api/client-errors';

/** What the tests of this worker typed about people, and the server received. */
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

/** Those that the lines of a log contain, as they are or encoded. */
export function typedTextsIn(lines: readonly object[]): string[] {
  const log = lines.map((line) => JSON.stringify(line).toLowerCase()).join('\n');
  return [...typedTexts].filter((text) =>
    [JSON.stringify(text).slice(1, -1), encodeURIComponent(text).toLowerCase()].some((form) =>
      log.includes(form),
    ),
  );
}
