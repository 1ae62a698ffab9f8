import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, Server, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Log } from '../log.ts';
import { StartupError } from '../startup-error.ts';
import { afterReading } from './after-reading.ts';
import { longestBodyMilliseconds } from './body.ts';
import type { AppEnv } from './context.ts';
import { startingApp } from './health/starting.ts';
import { createHeldRequests } from './held-requests.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { SiteFiles } from './site-files.ts';
import { createSiteListener } from './site-listener.ts';

/** During shutdown, idle connections stay open this long, in case a request is on its way. */
const idleMilliseconds = 500;

/** During shutdown, unused connections stay open this long: browsers open some in advance. */
const silentMilliseconds = 1_000;

/** During shutdown, requests in progress get this long. */
const graceMilliseconds = 7_000;

/**
 * A connection is closed after this long without a byte in either direction. Otherwise, clients
 * that stall or vanish would occupy theirs forever. Every response begins sooner.
 */
const stalledMilliseconds = 120_000;

/**
 * For a whole request. `readBodyFirst` ends slow requests earlier, with a response. This timeout is
 * for bodies that nothing reads, such as that of an upload without a session.
 */
const requestTimeout = longestBodyMilliseconds + 120_000;

/** Unanswered requests of one connection. Browsers and proxies send one at a time. */
const maxPipelined = 16;

/** The file descriptor of the first socket from systemd: sd_listen_fds(3). */
const passedSocket = 3;

/** Limits if other servers serve the site: by then, the load balancer knows of this start. */
const briefly = { max: 1_000, milliseconds: 2_000 };

interface HttpServerParts {
  log: Log;
  metrics: Metrics;
  /** Whether clients use https, here or at a proxy. */
  isHttps: boolean;
  /** Whether other servers serve the same site, behind a load balancer. */
  hasOthers?: boolean;
  /** For tests. */
  stalledAfter?: number;
}

/** Listens before there is anything to serve, and shuts down gracefully. */
export function createHttpServer({
  log,
  metrics,
  isHttps,
  hasOthers = false,
  stalledAfter = stalledMilliseconds,
}: HttpServerParts) {
  const starting = listenerOf(startingApp({ log, metrics, isHttps }));
  /** If a read gets no answer, a load balancer retries it with another server. */
  const leaveToOthers: RequestListener = (request, response) =>
    request.method === 'GET' || request.method === 'HEAD'
      ? void response.destroy()
      : starting(request, response);
  const heldRequests = hasOthers
    ? createHeldRequests(leaveToOthers, briefly)
    : createHeldRequests(starting);
  let listener: RequestListener = (request, response) => {
    const isProbe = request.url?.startsWith('/api/health') ?? false;
    return isProbe ? starting(request, response) : heldRequests.hold(request, response);
  };
  /** Unanswered requests of each connection. Most do not emit `close` when it is closed. */
  const connections = new Map<Socket, Set<ServerResponse>>();
  let isClosing = false;
  const server = createServer({ requestTimeout }, (request, response) => {
    const { socket } = request;
    const answering = connections.get(socket);
    // Each request takes kilobytes of memory, and one chunk can contain thousands.
    if (!answering || answering.size >= maxPipelined) {
      socket.destroy();
      return;
    }
    if (isClosing) response.setHeader('Connection', 'close');
    answering.add(response);
    response.once('close', () => answering.delete(response));
    listener(request, response);
  });

  server.timeout = stalledAfter;
  server.on('connection', (socket) => {
    connections.set(socket, new Set());
    socket.once('close', () => connections.delete(socket));
  });

  /** `closeIdleConnections` does not close them, because Node treats new connections as active. */
  function closeSilentConnections(): void {
    for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  function listenerOf(app: Hono<AppEnv>): RequestListener {
    const handle = getRequestListener(app.fetch);
    return (request, response) => {
      handle(request, response).catch((error: unknown) => {
        log.error({ err: error }, 'could not answer a request');
        response.destroy();
      });
    };
  }

  return {
    /**
     * Until `open` is called, requests wait, and `startingApp` answers health checks.
     * @param hasSocket whether systemd already listens and passes its socket
     * @returns the port, which the system chooses for 0
     * @throws {StartupError} if the port is in use or not allowed
     */
    listen(port: number, host: string, hasSocket = false): Promise<number> {
      const at = hasSocket ? { fd: passedSocket } : { port, host };
      return new Promise((resolve, reject) => {
        server.once('error', (error: NodeJS.ErrnoException) =>
          reject(listenError(error, port, host)),
        );
        server.listen(at, () => resolve((server.address() as AddressInfo).port));
      });
    },

    open(siteFiles: SiteFiles, app: Hono<AppEnv>): void {
      listener = createSiteListener(siteFiles, isHttps, { app: listenerOf(app), metrics });
      heldRequests.release(listener);
    },

    /** Resolves when all requests are answered or the grace period ends. */
    async close(): Promise<void> {
      isClosing = true;
      for (const response of [...connections.values()].flatMap((answering) => [...answering])) {
        if (!response.headersSent) response.setHeader('Connection', 'close');
      }
      let idle: NodeJS.Timeout | undefined;
      const timers = [
        setTimeout(() => {
          idle = setInterval(
            afterReading(() => server.closeIdleConnections()),
            50,
          );
        }, idleMilliseconds),
        setTimeout(afterReading(closeSilentConnections), silentMilliseconds),
        setTimeout(() => server.closeAllConnections(), graceMilliseconds),
      ];
      // The HTTP server's own `close` ends idle connections at once, even if a request is on its
      // way.
      await new Promise((resolve) => Server.prototype.close.call(server, resolve));
      clearInterval(idle);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartupError(`Port ${port} is in use: stop the other server, or set PORT.`);
  }
  if (error.code === 'EACCES') {
    return new StartupError(`Port ${port} requires elevated privileges: set PORT to 1024 or more.`);
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new StartupError(
      `HOST ${host} is not an address of this machine: set it to 127.0.0.1 or 0.0.0.0.`,
    );
  }
  return error;
}
