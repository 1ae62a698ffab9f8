import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import type { UploadsSettings } from '../env.ts';
import { parseS3Url } from '../s3/s3-url.ts';

const program = fileURLToPath(new URL('s3-program.ts', import.meta.url));

/** The server's only account. */
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const environment = {
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
};

export function s3ServerForFile(): S3Server {
  const used = {} as S3Server;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 's3-'));
    Object.assign(used, await startS3Server(folder));
  });
  afterAll(async () => {
    await used[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  return used;
}

type S3Server = Awaited<ReturnType<typeof startS3Server>>;

/** A server with one bucket, which stores its objects in a folder. */
export async function startS3Server(folder: string) {
  // S3rver encrypts the continuation tokens of lists with DES.
  const child = spawn(process.execPath, ['--openssl-legacy-provider', program, folder], {
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
  /** The keys of complete objects, sorted. */
  const keys = (): string[] =>
    readdirSync(join(folder, 'backups'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('._S3rver_object'))
      .map((name) => name.slice(0, -'._S3rver_object'.length))
      .sort();
  return {
    credentials,
    environment,
    endpoint,
    requests,
    /** For commands. */
    urlOf: (key: string, bucket = 'backups') => `s3://${bucket}/${key}?endpoint=${endpoint}`,
    keys,
    /** For UPLOADS_URL. @param prefix of the site */
    uploadsAt: (prefix: string, at = endpoint): UploadsSettings => ({
      location: parseS3Url(`s3://backups/${prefix}?endpoint=${at}`),
      credentials,
    }),
    /** Makes all objects below a prefix this many milliseconds old. */
    age(prefix: string, milliseconds: number): void {
      const time = (Date.now() - milliseconds) / 1_000;
      for (const key of keys().filter((each) => each.startsWith(prefix))) {
        utimesSync(join(folder, 'backups', `${key}._S3rver_object`), time, time);
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
