import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Asked {
  responses: number;
  /** Ids of acknowledged messages. */
  messages: string[];
  broken: string[];
}

const askForPage = (port: number, agent: Agent) =>
  request({ port, agent, host: '127.0.0.1', path: '/about' }).end();

function sendMessage(port: number, agent: Agent, id: string) {
  const headers = { origin: `http://localhost:${port}`, 'content-type': 'application/json' };
  const to = { port, agent, headers, host: '127.0.0.1', path: '/api/contact', method: 'POST' };
  return request(to).end(JSON.stringify({ name: id, email: 'vera@example.com', message: id }));
}

/** Sends requests over a keep-alive connection until the server stops. */
export async function keepAsking(port: number): Promise<Asked> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const asked: Asked = { responses: 0, messages: [], broken: [] };
  for (let n = 0; ; n += 1) {
    const isMessage = n % 4 === 3;
    const id = randomUUID();
    const sent = isMessage ? sendMessage(port, agent, id) : askForPage(port, agent);
    try {
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const body = await text(response);
      asked.responses += 1;
      const isWhole = response.statusCode === (isMessage ? 201 : 200) && body !== '';
      if (!isWhole) asked.broken.push(`${response.statusCode}: ${body.slice(0, 200)}`);
      else if (isMessage) asked.messages.push(id);
    } catch (error) {
      agent.destroy();
      const { code } = error as NodeJS.ErrnoException;
      // The kernel can accept a connection that the server never accepts.
      const isRefused = code === 'ECONNREFUSED' || (code === 'ECONNRESET' && !sent.reusedSocket);
      if (!isRefused) asked.broken.push(`${code} ${String(error)}`);
      return asked;
    }
  }
}
