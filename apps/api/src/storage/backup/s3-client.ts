import { S3Client } from '@aws-sdk/client-s3';
import type { S3Credentials } from '../../env.ts';
import { BackupError } from './manifest.ts';
import type { S3Location } from './s3-url.ts';

/** In milliseconds, without a byte in either direction. */
const timeout = 60_000;

export const createS3Client = (
  { endpoint, region }: S3Location,
  credentials: S3Credentials,
): S3Client =>
  new S3Client({
    region,
    credentials,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestHandler: { connectionTimeout: 10_000, requestTimeout: timeout, socketTimeout: timeout },
    // Servers of others refuse newer checksums. Requests are signed, and archives have hashes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

/** Turns errors of the server and the network into sentences. */
export async function explainS3<T>(location: S3Location, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(location, error);
  }
}

function explained({ bucket, endpoint, region }: S3Location, error: unknown): unknown {
  const { name, message, code, $metadata } = error as Error & {
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  const server = endpoint ?? `Amazon S3 in ${region}`;
  const status = $metadata?.httpStatusCode;
  const refusal = (text: string) => new BackupError(text, { cause: error, code: 'storage' });
  if (error instanceof BackupError || name === 'AbortError') return error;
  if (name === 'NoSuchBucket') return refusal(`There is no bucket ${bucket} at ${server}`);
  if (name === 'PermanentRedirect' || name === 'AuthorizationHeaderMalformed') {
    return refusal(`The bucket ${bucket} is not in ${region}: add its region to the URL`);
  }
  if (status === 401 || status === 403) {
    return refusal(
      `${server} refuses access to ${bucket} (${name}): the credentials must allow to list, read, write and delete there`,
    );
  }
  if (status !== undefined && status >= 300) {
    return refusal(`${server} replied ${status} (${message})`);
  }
  if (code === undefined && name !== 'TimeoutError') return error;
  return refusal(`${server} cannot be reached (${code ?? name})`);
}
