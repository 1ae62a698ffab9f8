import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type S3Fault = 'none' | 'reset' | 'hang' | 'deny' | 'fail' | 'truncate';

/** A proxy in front of an S3 server that breaks some of the requests. */
export async function startFaultyS3(endpoint: string) {
  let fault: S3Fault = 'none';
  let affects: (method: string, url: string) => boolean = () => true;
  let passes = Number.POSITIVE_INFINITY;

  function refuse(response: ServerResponse, status: number, code: string): void {
    response.writeHead(status, { 'Content-Type': 'application/xml' });
    response.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
  }

  function pass(incoming: IncomingMessage, response: ServerResponse, truncates: boolean): void {
    const { method, url = '/', headers } = incoming;
    const outgoing = request(`${endpoint}${url}`, { method, headers, agent: false }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      if (!truncates) return void reply.pipe(response);
      reply.once('data', (chunk: Buffer) => {
        response.write(chunk.subarray(0, Math.ceil(chunk.length / 2)));
        setImmediate(() => response.destroy());
        reply.destroy();
      });
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  }

  const http = createServer((incoming, response) => {
    const { method = '', url = '' } = incoming;
    const isAffected = fault !== 'none' && affects(method, url) && passes-- <= 0;
    if (!isAffected) return pass(incoming, response, false);
    switch (fault) {
      case 'reset':
        return void incoming.socket.destroy();
      case 'hang':
        return void incoming.resume();
      case 'deny':
        incoming.resume();
        return refuse(response, 403, 'AccessDenied');
      case 'fail':
        incoming.resume();
        return refuse(response, 500, 'InternalError');
      default:
        return pass(incoming, response, true);
    }
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));

  return {
    endpoint: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    /**
     * @param options.affects which requests break; by default all
     * @param options.passes how many of them succeed before
     */
    break(
      kind: S3Fault,
      options: { affects?: (method: string, url: string) => boolean; passes?: number } = {},
    ): void {
      fault = kind;
      affects = options.affects ?? (() => true);
      passes = options.passes ?? 0;
    },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
