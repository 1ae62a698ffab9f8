import { fileURLToPath } from 'node:url';
import { freePort } from '@app/db/testing/free-port';
import { type ServerProcess, startServer } from './server-process.ts';

const start = async (name: string, ...args: string[]): Promise<ServerProcess> => {
  const port = String(await freePort());
  return await startServer({
    name,
    command: process.execPath,
    args: [...args, port],
    url: `http://127.0.0.1:${port}`,
  });
};

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Reads one post per request from the database, and does nothing else. */
export const startBareApi = (database: string) =>
  start('node:http', fileOf('bare-api.ts'), database);

export const startBarePage = (compressed: string) =>
  start('node:http with the page in memory', fileOf('bare-page.ts'), compressed);

/** Shows what Node itself takes. */
export const startEmptyServer = () =>
  start(
    'node:http',
    '-e',
    'require("node:http").createServer((_, r) => r.end()).listen(process.argv[1], "127.0.0.1")',
  );
