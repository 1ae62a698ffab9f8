import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { type MessagePort, workerData } from 'node:worker_threads';
import type { HttpReply, HttpRequest, HttpWork } from './blocking-http.ts';

const { port, signal } = workerData as HttpWork & { port: MessagePort };
const replies = new Int32Array(signal);

/** In milliseconds: servers and proxies must not close a connection that is about to be used. */
const idleTimeout = 4_000;
const agentOptions = { keepAlive: true, timeout: idleTimeout };
const agents = { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) };

async function send({ url, headers, body, timeout }: HttpRequest): Promise<HttpReply> {
  const isSecure = url.startsWith('https:');
  const deadline = AbortSignal.timeout(timeout);
  try {
    return await new Promise((resolve, reject) => {
      const request = (isSecure ? httpsRequest : httpRequest)(url, {
        method: 'POST',
        agent: isSecure ? agents.https : agents.http,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        signal: deadline,
      });
      request.on('error', reject);
      request.on('response', (response) => {
        buffer(response).then(
          (bytes) => resolve({ status: response.statusCode ?? 0, body: bytes.toString() }),
          reject,
        );
      });
      request.end(body);
    });
  } catch (error) {
    if (deadline.aborted) return { failure: `no answer within ${timeout} ms` };
    return { failure: reasonOf(error as Error) };
  }
}

/** If all addresses of a host name fail, Node reports an error without a message. */
const reasonOf = (error: Error): string =>
  error instanceof AggregateError
    ? error.errors.map(({ message }: Error) => message).join(', ')
    : error.message;

port.on('message', async ({ id, ...request }: HttpRequest & { id: number }) => {
  port.postMessage({ id, ...(await send(request)) });
  // Wakes a thread that blocks for the reply.
  Atomics.add(replies, 0, 1);
  Atomics.notify(replies, 0);
});
