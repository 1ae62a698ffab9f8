import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from '../open.ts';
import { type SharedServer, startSharedServer } from './shared-server.ts';

/** Shared by the tests of this process, because starting a server takes as long as many tests. */
const servers: SharedServer[] = [];

/** @param file names the database until its folder is deleted; its rows are moved to the server */
export async function openShared(file: string, hasReplica: boolean): Promise<Database> {
  let server = serverOf(file);
  if (!server) {
    server = takeUnused(hasReplica) ?? (await startSharedServer(hasReplica));
    servers.push(server);
    server.file = file;
    await server.load(existsSync(file) ? file : null);
  } else if (existsSync(file)) {
    await server.load(file);
  }
  rmSync(file, { force: true });
  return server.connect();
}

/** The URL of the database that was opened with this file name; undefined for a file. */
export const databaseUrlOf = (file: string): string | undefined => serverOf(file)?.url;

/** @returns false for a database that was not opened here */
export function copyShared(file: string, target: string): boolean {
  const server = serverOf(file);
  server?.copyTo(target);
  return server !== undefined;
}

/** Resolves when the replica has what another process has committed. */
export async function sharedCaughtUp(file: string): Promise<void> {
  await serverOf(file)?.caughtUp();
}

export async function stopSharedServers(): Promise<void> {
  await Promise.all(servers.splice(0).map(({ stop }) => stop()));
}

const serverOf = (file: string): SharedServer | undefined =>
  servers.find((server) => server.file === file);

/** A server whose database is closed, and whose folder is either deleted or has a copy. */
function takeUnused(hasReplica: boolean): SharedServer | undefined {
  for (const server of [...servers]) {
    if (server.hasReplica !== hasReplica) continue;
    const { file, connections } = server;
    if (connections > 0 || (existsSync(dirname(file)) && !existsSync(file))) continue;
    // The caller adds it again, with another file name.
    servers.splice(servers.indexOf(server), 1);
    if (server.isUsable()) return server;
    void server.stop();
  }
  return undefined;
}
