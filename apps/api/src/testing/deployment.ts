import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { DeploymentContext } from '../doctor/check.ts';
import { foldersOf } from '../doctor/folders.ts';
import { createNetwork } from '../doctor/network.ts';
import { type Env, parseEnv } from '../env.ts';
import { createHttpServer } from '../server/http-server.ts';
import { authority, certificates } from './certificates.ts';
import { databaseSettings, MovingClock, makeTestApp } from './test-app.ts';

export function envOf(environment: Record<string, string>): Env {
  const result = parseEnv(environment);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.env;
}

interface ProxyOptions {
  certificate?: keyof typeof certificates;
  /** Returns the X-Forwarded-For that the proxy sends, given that of its client. */
  forwardedFor?(given: string | undefined): string | undefined;
  trustProxy?: string;
  /** Answers all requests instead of the server. */
  errorPage?: string;
  /** The A records of site.test. */
  addresses?: string[];
}

/** The real server behind a TLS proxy, https://site.test, which only `context` can reach. */
export async function startDeployment({
  certificate = 'valid',
  forwardedFor = () => '198.51.100.7',
  trustProxy = '127.0.0.1',
  errorPage,
  addresses = ['198.51.100.7'],
}: ProxyOptions = {}) {
  let port = 0;
  const proxy = createHttpsServer(certificates[certificate], (request, response) => {
    if (errorPage !== undefined) {
      response.writeHead(502).end(errorPage);
      return;
    }
    const { 'x-forwarded-for': given, ...rest } = request.headers;
    const forwarded = forwardedFor(given?.toString());
    const headers: IncomingHttpHeaders = {
      ...rest,
      ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
    };
    const { url, method } = request;
    const sent = httpRequest({ port, path: url, method, headers, agent: false }, (reply) => {
      response.writeHead(reply.statusCode ?? 0, reply.headers);
      reply.pipe(response);
    });
    sent.on('error', () => response.destroy());
    request.pipe(sent);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const publicUrl = `https://site.test:${(proxy.address() as AddressInfo).port}`;

  const clock = new MovingClock();
  const testApp = await makeTestApp({
    publishes: true,
    clock,
    settings: { publicUrl, trustProxy: trustProxy.split(',') },
  });
  const httpServer = createHttpServer({ ...testApp.deps, isHttps: true });
  port = await httpServer.listen(0, '127.0.0.1');
  httpServer.open(testApp.deps.siteFiles, testApp.app);

  const network = createNetwork({
    ca: authority,
    lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  const { dataDir } = testApp;
  const environment = {
    ...databaseSettings(dataDir),
    ...{ PUBLIC_URL: publicUrl, PORT: String(port), TRUST_PROXY: trustProxy },
  };
  const context: DeploymentContext = {
    ...foldersOf(environment),
    ...{ clock, env: envOf(environment) },
    network: { ...network, resolve: async (_name, type) => (type === 'A' ? addresses : []) },
  };
  return {
    ...{ context, testApp, environment },
    async stopProxy() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      proxy.close();
      await httpServer.close();
      await testApp[Symbol.asyncDispose]();
    },
  };
}
