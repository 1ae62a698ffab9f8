import { UsageError } from '../cli/errors.ts';
import { isHttpOrigin } from '../http-origin.ts';

export interface S3Location {
  bucket: string;
  /** Key of an object, or a prefix. Without leading or trailing slash. */
  key: string;
  /** An origin. Undefined for Amazon S3. */
  endpoint: string | undefined;
  region: string;
}

/** Other vendors' servers accept it as well. */
const defaultRegion = 'us-east-1';

export const isS3Url = (text: string): boolean => /^s3:/i.test(text);

/**
 * @param text s3://bucket/prefix?endpoint=https://storage.example.com&region=eu-west-1
 * @throws {UsageError} whose message does not contain credentials
 */
export function parseS3Url(text: string): S3Location {
  const url = URL.parse(text);
  if (url?.protocol !== 's3:' || !/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(url.hostname)) {
    throw new UsageError('Expected a bucket, such as s3://my-bucket/site.');
  }
  if (url.username || url.password) {
    throw new UsageError(
      'An s3:// URL has no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  }
  const { endpoint, region = defaultRegion, ...others } = Object.fromEntries(url.searchParams);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw new UsageError(
      `"${unknown}" is not a parameter of s3:// URLs: use endpoint and region. In a shell, quote the URL.`,
    );
  }
  if (endpoint !== undefined && !isHttpOrigin(endpoint)) {
    throw new UsageError(
      'The endpoint must be an origin without a path, such as https://storage.example.com.',
    );
  }
  if (!/^[a-z\d-]{1,40}$/.test(region)) {
    throw new UsageError('The region must be a name, such as eu-central-1.');
  }
  return { bucket: url.hostname, key: keyOf(url.pathname), endpoint, region };
}

function keyOf(pathname: string): string {
  try {
    return decodeURIComponent(pathname).split('/').filter(Boolean).join('/');
  } catch {
    throw new UsageError('The path has an incomplete escape: write %25 for a percent sign.');
  }
}

/** URL of an object in the same bucket, as commands take it. */
export function s3UrlOf({ bucket, endpoint, region }: S3Location, key: string): string {
  const parameters = [
    ...(endpoint === undefined ? [] : [`endpoint=${endpoint}`]),
    ...(region === defaultRegion ? [] : [`region=${region}`]),
  ].join('&');
  const path = key.split('/').map(encodeURIComponent).join('/');
  return `s3://${bucket}/${path}${parameters && `?${parameters}`}`;
}
