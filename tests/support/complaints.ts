import type { BrowserContext, ConsoleMessage, Request, Response } from 'playwright/test';

interface Complaint {
  /** The address it is about, without the site's own origin. */
  path: string;
  text: string;
}

/**
 * What browsers complain about on the pages they are shown: failed requests, answers
 * of 400 and above, errors in scripts and on the console, requests to other hosts.
 */
export class Complaints {
  readonly #origin: string;
  readonly #all: Complaint[] = [];
  readonly #expected: { text: RegExp; path: string | undefined }[] = [];

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** This test provokes a complaint with such a text, about this path if one is given. */
  expect(text: RegExp, path?: string): void {
    this.#expected.push({ text, path });
  }

  listenTo(context: BrowserContext): void {
    context.on('console', (message) => this.#hearConsole(message));
    context.on('weberror', (error) => this.#add(error.page()?.url(), `${error.error()}`));
    context.on('requestfailed', (request) => this.#hearFailure(request));
    context.on('request', (request) => {
      if (!/^(?:data|blob|about):/.test(request.url()) && !this.#isOurs(request.url())) {
        this.#add(request.url(), 'asked another host');
      }
    });
    context.on('response', (response) => this.#hearResponse(response));
  }

  get unexpected(): string[] {
    return this.#all
      .filter((complaint) => !this.#expected.some((one) => matches(one, complaint)))
      .map(({ path, text }) => `${path}: ${text}`);
  }

  get missing(): string[] {
    return this.#expected
      .filter((one) => !this.#all.some((complaint) => matches(one, complaint)))
      .map(({ path, text }) => `${path ?? 'anywhere'}: ${text}`);
  }

  #hearConsole(message: ConsoleMessage): void {
    if (message.type() === 'error') this.#add(message.location().url, message.text());
  }

  #hearFailure(request: Request): void {
    const reason = request.failure()?.errorText ?? '';
    // The browser gave up itself, because the person went to another page.
    if (reason !== 'net::ERR_ABORTED') this.#add(request.url(), reason);
  }

  #hearResponse(response: Response): void {
    // In Chromium's words, whose console says so of each such answer.
    if (response.status() >= 400) this.#add(response.url(), `status of ${response.status()}`);
  }

  #add(url: string | undefined, text: string): void {
    const path = url && this.#isOurs(url) ? url.slice(this.#origin.length) : (url ?? '');
    this.#all.push({ path, text });
  }

  #isOurs(url: string): boolean {
    return url === this.#origin || url.startsWith(`${this.#origin}/`);
  }
}

const matches = (
  expected: { text: RegExp; path: string | undefined },
  complaint: Complaint,
): boolean =>
  expected.text.test(complaint.text) && (expected.path ?? complaint.path) === complaint.path;
