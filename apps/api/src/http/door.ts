import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Log } from '../log.ts';
import type { SiteFiles } from '../publishing/site-files.ts';
import { StartupError } from '../startup-error.ts';
import type { AppEnv } from './context.ts';
import { createSiteListener } from './site-listener.ts';

/** How long requests may take to end once the server is told to stop. */
const graceMilliseconds = 10_000;

const notOpenYet: RequestListener = (_request, response) => {
  response.writeHead(503, { 'Retry-After': '1', 'Content-Type': 'text/plain' });
  response.end('The site is starting.\n');
};

/** The server's socket: listens before there is anything to serve, and closes without cutting anybody off. */
export function createDoor(log: Log) {
  let listener = notOpenYet;
  const server = createServer((request, response) => listener(request, response));

  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  function closeIdleConnections(): void {
    server.closeIdleConnections();
    // Browsers open some in advance; Node counts those as busy with a request to come.
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
          log.error({ err: error }, 'a request could not be answered');
          response.destroy();
        });
      });
    },

    /** Takes no more connections, and resolves when the requests underway are answered. */
    close(): Promise<void> {
      return new Promise((resolve) => {
        const cutOff = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
        // Connections fall idle as their requests are answered; left alone each stays for 5 s more.
        const idle = setInterval(closeIdleConnections, 50);
        server.close(() => {
          clearTimeout(cutOff);
          clearInterval(idle);
          resolve();
        });
      });
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
      `HOST ${host} is no address of this machine: set it to 127.0.0.1 or 0.0.0.0.`,
    );
  }
  return error;
}
