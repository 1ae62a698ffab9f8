import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port on which nothing listens: the preferred one, unless it is in use. */
export async function freePort(preferred = 0): Promise<number> {
  const server = createServer().listen(preferred, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (preferred && (error as NodeJS.ErrnoException).code === 'EADDRINUSE') return freePort();
    throw error;
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
