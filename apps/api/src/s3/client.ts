import { S3Client } from '@aws-sdk/client-s3';
import type { S3Credentials } from '../env.ts';
import type { S3Location } from './s3-url.ts';

interface Timeouts {
  /** In milliseconds, to connect. */
  connection: number;
  /** In milliseconds, without a byte in either direction. */
  idle: number;
}

/** Import it when a bucket is used, because of the library's size. */
export const createS3Client = (
  { endpoint, region }: S3Location,
  credentials: S3Credentials,
  { connection, idle }: Timeouts,
): S3Client =>
  new S3Client({
    region,
    credentials,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestHandler: {
      connectionTimeout: connection,
      requestTimeout: idle,
      socketTimeout: idle,
    },
    // Servers of others refuse newer checksums. Requests are signed, and have MD5 or are read back.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
