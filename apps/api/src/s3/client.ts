import { S3Client } from '@aws-sdk/client-s3';
import type { S3Credentials } from '../env.ts';
import type { S3Location } from './s3-url.ts';

interface Timeouts {
  /** Milliseconds to connect. */
  connection: number;
  /** Milliseconds without a byte in either direction. */
  idle: number;
}

/** Import this module only when a bucket is used: the library is large. */
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
    // Other vendors' servers refuse the newer checksums. Requests are signed, and content is verified
    // by MD5 or by reading it back.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
