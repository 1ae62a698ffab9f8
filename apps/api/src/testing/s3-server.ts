import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('s3-program.ts', import.meta.url));

/** The server's only account. */
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const environment = {
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
};

/** A server with one bucket, which stores its objects in a folder. */
export async function startS3Server(folder: string) {
  const child = spawn(process.execPath, [program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const output = createInterface({ input: child.stdout });
  const [port] = (await Promise.race([
    once(output, 'line'),
    ended.then(() => Promise.reject(new Error('the S3 server did not start'))),
  ])) as [string];
  /** Method and URL. */
  const requests: string[] = [];
  output.on('line', (line) => requests.push(line));
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    credentials,
    environment,
    endpoint,
    requests,
    /** For commands. */
    urlOf: (key: string, bucket = 'backups') => `s3://${bucket}/${key}?endpoint=${endpoint}`,
    /** Keys of complete objects, sorted. */
    keys: (): string[] =>
      readdirSync(join(folder, 'backups'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('._S3rver_object'))
        .map((name) => name.slice(0, -'._S3rver_object'.length))
        .sort(),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
