import type { BrowserContext, ConsoleMessage, Request, Response } from 'playwright/test';

interface PageError {
  /** Relative to the site's origin. */
  path: string;
  text: string;
}

/** Browser errors: failed requests, status 400 and above, script and console errors, requests to other hosts. */
export class PageErrors {
  readonly #origin: string;
  readonly #all: PageError[] = [];
  readonly #expected: { text: RegExp; path: string | undefined }[] = [];

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Expects an error that matches the text, and the path if there is one. */
  expect(text: RegExp, path?: string): void {
    this.#expected.push({ text, path });
  }

  listenTo(context: BrowserContext): void {
    context.on('console', (message) => this.#onConsole(message));
    context.on('weberror', (error) => this.#add(error.page()?.url(), `${error.error()}`));
    context.on('requestfailed', (request) => this.#onRequestFailed(request));
    context.on('request', (request) => {
      if (!/^(?:data|blob|about):/.test(request.url()) && !this.#isSameOrigin(request.url())) {
        this.#add(request.url(), 'requested another host');
      }
    });
    context.on('response', (response) => this.#onResponse(response));
  }

  get unexpected(): string[] {
    return this.#all
      .filter((error) => !this.#expected.some((one) => matches(one, error)))
      .map(({ path, text }) => `${path}: ${text}`);
  }

  get missing(): string[] {
    return this.#expected
      .filter((one) => !this.#all.some((error) => matches(one, error)))
      .map(({ path, text }) => `${path ?? 'anywhere'}: ${text}`);
  }

  #onConsole(message: ConsoleMessage): void {
    if (message.type() === 'error') this.#add(message.location().url, message.text());
  }

  #onRequestFailed(request: Request): void {
    const reason = request.failure()?.errorText ?? '';
    // Aborted by a navigation.
    if (reason !== 'net::ERR_ABORTED') this.#add(request.url(), reason);
  }

  #onResponse(response: Response): void {
    // Personal pages refuse prefetching.
    if (response.headers()['vary']?.includes('Sec-Purpose')) return;
    // Same wording as Chromium's console message.
    if (response.status() >= 400) this.#add(response.url(), `status of ${response.status()}`);
  }

  #add(url: string | undefined, text: string): void {
    const path = url && this.#isSameOrigin(url) ? url.slice(this.#origin.length) : (url ?? '');
    this.#all.push({ path, text });
  }

  #isSameOrigin(url: string): boolean {
    return url === this.#origin || url.startsWith(`${this.#origin}/`);
  }
}

const matches = (expected: { text: RegExp; path: string | undefined }, error: PageError): boolean =>
  expected.text.test(error.text) && (expected.path ?? error.path) === error.path;
