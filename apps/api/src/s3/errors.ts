import type { S3Location } from './s3-url.ts';

/** The server of a bucket cannot be reached or refuses a request. The operator sees the message. */
export class S3Error extends Error {
  override name = 'S3Error';
}

export const serverOf = ({ endpoint, region }: S3Location): string =>
  endpoint ?? `Amazon S3 in ${region}`;

/**
 * Turns errors of the server and the network into readable messages.
 * @throws {S3Error}
 */
export async function explainS3<T>(location: S3Location, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(location, error);
  }
}

function explained(location: S3Location, error: unknown): unknown {
  const { name, message, code, $metadata } = error as Error & {
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  const { bucket, region } = location;
  const server = serverOf(location);
  const status = $metadata?.httpStatusCode;
  const refusal = (text: string) => new S3Error(text, { cause: error });
  if (error instanceof S3Error || name === 'AbortError') return error;
  if (name === 'NoSuchBucket') return refusal(`There is no bucket ${bucket} at ${server}`);
  if (name === 'PermanentRedirect' || name === 'AuthorizationHeaderMalformed') {
    return refusal(`The bucket ${bucket} is not in ${region}: add its region to the URL`);
  }
  if (status === 401 || status === 403) {
    return refusal(
      `${server} refuses access to ${bucket} (${name}): the credentials must allow listing, reading, writing and deleting`,
    );
  }
  if (status !== undefined && status >= 300) {
    return refusal(`${server} replied ${status} (${message})`);
  }
  // Network errors have codes such as ECONNREFUSED. This program's own have none, or in lower case.
  if (!/^[A-Z][A-Z\d_]+$/.test(code ?? '') && name !== 'TimeoutError') return error;
  return refusal(`${server} cannot be reached (${code ?? name})`);
}
