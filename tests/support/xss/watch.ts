import { Buffer } from 'node:buffer';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright/test';
import { findHostile, type ServedPage } from './find-hostile.ts';

const pixel = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

/** Chromium's, for a relative path in a payload, or dialogs of cards added below the focus. */
const ownMessages = /^(?:Failed to load resource|Autofocus processing was blocked)/;

const report = 'reportExecution';

interface Options extends Pick<BrowserContextOptions, 'storageState'> {
  origin: string;
  /** Whether the browser applies the pages' content security policy. */
  hasPolicy: boolean;
}

/** A page that reports everything that a text on it manages to do. */
export class WatchedPage implements AsyncDisposable {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #origin: string;
  readonly #events: string[] = [];

  private constructor(context: BrowserContext, page: Page, origin: string) {
    this.#context = context;
    this.page = page;
    this.#origin = origin;
  }

  static async open(
    browser: Browser,
    { origin, hasPolicy, storageState }: Options,
  ): Promise<WatchedPage> {
    const context = await browser.newContext({
      baseURL: origin,
      bypassCSP: !hasPolicy,
      reducedMotion: 'reduce',
      ...(storageState && { storageState }),
    });
    const watched = new WatchedPage(context, await context.newPage(), origin);
    await watched.#listen();
    return watched;
  }

  async #listen(): Promise<void> {
    const { page } = this;
    const add = (event: string) => this.#events.push(event);
    await this.#context.exposeBinding(report, (_, what: string) => add(what));
    await this.#context.addInitScript((name) => {
      const call = (what: string) =>
        (globalThis as never as Record<string, (text: string) => void>)[name]?.(what);
      for (const dialog of ['alert', 'confirm', 'prompt', 'print']) {
        Object.assign(globalThis, {
          [dialog]: (...words: unknown[]) => call(`${dialog}(${words.join()})`),
        });
      }
    }, report);
    await this.#context.route(
      ({ origin }) => origin !== this.#origin,
      (route) => {
        const { url, type } = { url: route.request().url(), type: route.request().resourceType() };
        // Covers and pictures of posts may be anywhere.
        if (type === 'image') return route.fulfill({ body: pixel, contentType: 'image/gif' });
        add(`requested ${url} as ${type}`);
        return route.abort('blockedbyclient');
      },
    );
    page.on('dialog', (dialog) => {
      add(`${dialog.type()} opened with ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('popup', (popup) => add(`opened ${popup.url()}`));
    page.on('pageerror', (error) => add(`threw ${error}`));
    page.on('console', (message) => {
      if (!ownMessages.test(message.text())) add(`logged ${message.text()}`);
    });
  }

  /** What was executed, requested, logged or opened since the last call, and where the page went. */
  async events(path: string): Promise<string[]> {
    await this.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    const { pathname, search } = new URL(this.page.url());
    const isHere = this.page.url().startsWith(this.#origin) && pathname + search === path;
    return [...this.#events.splice(0), ...(isHere ? [] : [`left ${path} for ${this.page.url()}`])];
  }

  /** Opens a page, and returns what was executed and what could be. */
  async visit(path: string): Promise<string[]> {
    await this.page.goto(path);
    return this.look(path);
  }

  async look(path: string): Promise<string[]> {
    const hostile = (await this.page.evaluate(findHostile, null)).flat();
    return [...(await this.events(path)), ...hostile];
  }

  /** Fetches a page without opening it. */
  async fetch(path: string): Promise<ServedPage> {
    // While the machine stalls, the server can close connections that are about to be used.
    const response = await this.page.request.get(path, { maxRetries: 3 });
    if (!response.ok()) throw new Error(`${path}: status of ${response.status()}`);
    return {
      html: await response.text(),
      policy: response.headers()['content-security-policy'] ?? '',
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#context.close();
  }
}
