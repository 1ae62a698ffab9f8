import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

interface ListOptions {
  prefix?: string;
  delimiter?: string;
  startAfter?: string;
}

interface Listing {
  objects: readonly { key: string }[];
  commonPrefixes: string[];
}

interface S3Server {
  httpServer: Server;
  store: { listObjects(bucket: string, options: ListOptions): Promise<Listing> };
  run(): Promise<AddressInfo>;
}

const require = createRequire(import.meta.url);
const S3rver = require('@20minutes/s3rver') as new (options: object) => S3Server;

/** Prints its port, then the method and URL of each request. */
const server = new S3rver({
  directory: process.argv[2],
  address: '127.0.0.1',
  port: 0,
  silent: true,
  // S3rver signs /bucket where clients send /bucket/. Unknown access keys are still refused.
  allowMismatchedSignatures: true,
  configureBuckets: [{ name: 'backups', configs: [] }],
});

// S3rver omits common prefixes without an object directly below, such as a/ of a/b/c.
const { store } = server;
const listObjects = store.listObjects.bind(store);
store.listObjects = async (bucket, options) => {
  const listing = await listObjects(bucket, options);
  const { delimiter, prefix = '', startAfter = '' } = options;
  if (!delimiter) return listing;
  const { objects } = await listObjects(bucket, { prefix });
  const commonPrefixes = objects
    .map(({ key }) => ({ key, end: key.indexOf(delimiter, prefix.length) }))
    .filter(({ end }) => end !== -1)
    .map(({ key, end }) => key.slice(0, end + delimiter.length))
    .filter((commonPrefix) => commonPrefix > startAfter);
  return { ...listing, commonPrefixes: [...new Set(commonPrefixes)] };
};

const { port } = await server.run();
process.stdout.write(`${port}\n`);
server.httpServer.prependListener('request', ({ method, url }) =>
  process.stdout.write(`${method} ${url}\n`),
);
