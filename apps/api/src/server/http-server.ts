import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, Server, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Log } from '../log.ts';
import { StartupError } from '../startup-error.ts';
import type { AppEnv } from './context.ts';
import type { SiteFiles } from './site-files.ts';
import { createSiteListener } from './site-listener.ts';

/**
 * How long an open connection may be idle once the server is told to stop: a client that is at
 * work sends its next request, and the answer tells it to close the connection.
 */
const idleMilliseconds = 500;

/** How long a new connection may be silent then. Browsers open some in advance. */
const silentMilliseconds = 1_000;

/** How long requests may take to end. */
const graceMilliseconds = 7_000;

const notOpenYet: RequestListener = (_request, response) => {
  response.writeHead(503, { 'Retry-After': '1', 'Content-Type': 'text/plain' });
  response.end('The site is starting.\n');
};

/** The server's socket: listens before there is anything to serve, and closes without cutting anybody off. */
export function createDoor(log: Log) {
  let listener = notOpenYet;
  const answering = new Set<ServerResponse>();
  let isClosing = false;
  const server = createServer((request, response) => {
    if (isClosing) response.setHeader('Connection', 'close');
    answering.add(response);
    response.once('close', () => answering.delete(response));
    listener(request, response);
  });

  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  /** Node counts connections as busy that have not sent anything yet. */
  function closeSilentConnections(): void {
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  }

  return {
    /**
     * Takes the port; answers 503 until `open`. Gives the port, which the system chooses for 0.
     * @throws {StartupError} when it is taken or not allowed.
     */
    listen(port: number, host: string): Promise<number> {
      return new Promise((resolve, reject) => {
        server.once('error', (error: NodeJS.ErrnoException) => reject(whyNot(error, port, host)));
        server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
      });
    },

    /** Serves the published files, and everything else through the app. */
    open(siteFiles: SiteFiles, isHttps: boolean, app: Hono<AppEnv>): void {
      const handle = getRequestListener(app.fetch);
      listener = createSiteListener(siteFiles, isHttps, (request, response) => {
        handle(request, response).catch((error: unknown) => {
          log.error({ err: error }, 'could not answer a request');
          response.destroy();
        });
      });
    },

    /**
     * Takes no more connections, and asks the clients of the others to close them. Resolves when
     * the requests underway are answered, or cut off after the grace period.
     */
    async close(): Promise<void> {
      isClosing = true;
      for (const response of answering) {
        if (!response.headersSent) response.setHeader('Connection', 'close');
      }
      let idle: NodeJS.Timeout | undefined;
      const timers = [
        setTimeout(() => {
          idle = setInterval(() => server.closeIdleConnections(), 50);
        }, idleMilliseconds),
        setTimeout(closeSilentConnections, silentMilliseconds),
        setTimeout(() => server.closeAllConnections(), graceMilliseconds),
      ];
      // Not the HTTP server's own `close`: that cuts idle connections off at once, and with them
      // the request that a client may just be sending.
      await new Promise((resolve) => Server.prototype.close.call(server, resolve));
      clearInterval(idle);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function whyNot(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartupError(`Port ${port} is in use: stop the other server, or set PORT.`);
  }
  if (error.code === 'EACCES') {
    return new StartupError(`Port ${port} needs more rights: set PORT to 1024 or more.`);
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new StartupError(
      `HOST ${host} is not an address of this machine: set it to 127.0.0.1 or 0.0.0.0.`,
    );
  }
  return error;
}
