import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Events,
  JWKStore,
  type MutableResponse,
  OAuth2Issuer,
  OAuth2Service,
} from 'oauth2-mock-server';

/** Shared, because generating one is slow. */
let signingKey: ReturnType<JWKStore['generate']> | undefined;

interface Grant {
  redirectUri: string | null;
}

/**
 * A local OpenID provider over HTTP (oauth2-mock-server, which checks PKCE), as strict as Google: a
 * code works once, for the client with the secret and for its redirect URI. Users are signed in and
 * agree to everything unless `asks` is set. 127.0.0.1 is a different site from localhost, so cookies
 * behave as with Google.
 */
export class OidcProvider implements AsyncDisposable {
  readonly clientId = 'site.apps.example';
  clientSecret = 'provider-secret';
  /** Claims of the signed-in user. */
  person: Record<string, unknown> = {};
  /** Returned instead of a code: access_denied. */
  error: string | null = null;
  /** Changes the token response. */
  alter: (body: Record<string, unknown>) => void = () => undefined;
  readonly authorizationRequests: URLSearchParams[] = [];
  readonly exchanges: Record<string, unknown>[] = [];
  readonly answers: Record<string, unknown>[] = [];
  readonly #issuer = new OAuth2Issuer();
  readonly #service = new OAuth2Service(this.#issuer);
  readonly #server = createServer(this.#service.requestHandler);
  readonly #now: () => number;
  readonly #grants = new Map<string, Grant>();

  private constructor(now: () => number) {
    this.#now = now;
  }

  /** @param asks whether users must agree on a page */
  static async start(now: () => number = Date.now, asks = false): Promise<OidcProvider> {
    const provider = new OidcProvider(now);
    if (asks) provider.#ask();
    signingKey ??= new JWKStore().generate('RS256');
    await provider.#issuer.keys.add({ ...(await signingKey) });
    provider.#listen();
    provider.#server.listen(0, '127.0.0.1');
    await once(provider.#server, 'listening');
    const { port } = provider.#server.address() as AddressInfo;
    provider.#issuer.url = `http://127.0.0.1:${port}`;
    return provider;
  }

  get issuer(): string {
    return this.#issuer.url ?? '';
  }

  get settings() {
    const { clientId, clientSecret, issuer } = this;
    return { clientId, clientSecret, issuer };
  }

  /** @returns where the provider redirects to */
  async authorize(url: string): Promise<URL> {
    const response = await fetch(url, { redirect: 'manual' });
    const back = response.headers.get('Location');
    if (back === null) throw new Error(`the provider answers a visitor with ${response.status}`);
    return new URL(back);
  }

  #ask(): void {
    const service = this.#service;
    service.on(Events.BeforeWellKnownOpenIdConfiguration, ({ body }: MutableResponse) => {
      Object.assign(body, { authorization_endpoint: `${this.issuer}/consent` });
    });
    service.addRoute('GET', '/consent', ({ url }, response) => {
      const { search, searchParams } = new URL(url ?? '', this.issuer);
      const refused = new URL(searchParams.get('redirect_uri') ?? '');
      refused.searchParams.set('error', 'access_denied');
      refused.searchParams.set('state', searchParams.get('state') ?? '');
      const link = (href: string, text: string) =>
        `<a href="${href.replaceAll('&', '&amp;')}">${text}</a>`;
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><html lang="en"><title>Provider</title>
        <link rel="icon" href="data:,">
        ${link(`/authorize${search}`, 'Continue')} ${link(refused.href, 'Cancel')}`);
    });
  }

  #listen(): void {
    const service = this.#service;
    service.on(Events.BeforeAuthorizeRedirect, ({ url }: { url: URL }, { url: path }) => {
      const query = new URL(path, this.issuer).searchParams;
      this.authorizationRequests.push(query);
      const code = url.searchParams.get('code') ?? '';
      if (this.error === null) this.#grants.set(code, { redirectUri: query.get('redirect_uri') });
      else {
        url.searchParams.delete('code');
        url.searchParams.set('error', this.error);
      }
    });
    service.on(Events.BeforeTokenSigning, ({ payload }: { payload: Record<string, unknown> }) => {
      const iat = Math.floor(this.#now() / 1_000);
      Object.assign(payload, { iat, nbf: iat, exp: iat + 3_600, ...this.person });
    });
    service.on(Events.BeforeResponse, (response: MutableResponse, request) => {
      this.#answer(response, request.body, request.headers.authorization);
    });
  }

  #answer(
    response: MutableResponse,
    body: Record<string, string>,
    authorization: string | undefined,
  ): void {
    this.exchanges.push(body);
    const grant = this.#grants.get(body['code'] ?? '');
    this.#grants.delete(body['code'] ?? '');
    const credentials = Buffer.from(`${this.clientId}:${this.clientSecret}`).toString('base64');
    if (authorization !== `Basic ${credentials}`) {
      response.statusCode = 401;
      response.body = { error: 'invalid_client' };
    } else if (!grant || grant.redirectUri !== body['redirect_uri'] || !body['code_verifier']) {
      response.statusCode = 400;
      response.body = { error: 'invalid_grant' };
    } else if (response.body !== '') {
      this.alter(response.body);
      this.answers.push(response.body);
    }
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
