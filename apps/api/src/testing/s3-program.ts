import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

interface S3Server {
  httpServer: Server;
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
  // It signs /bucket where clients send /bucket/. Unknown keys are still refused.
  allowMismatchedSignatures: true,
  configureBuckets: [{ name: 'backups', configs: [] }],
});
const { port } = await server.run();
process.stdout.write(`${port}\n`);
server.httpServer.prependListener('request', ({ method, url }) =>
  process.stdout.write(`${method} ${url}\n`),
);
