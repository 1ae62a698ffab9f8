import { resolve } from 'node:path';
import { isEmailAddress, normalizeEmail } from '@app/contract/email-address';
import { company } from '@app/site/company';
import ipaddr from 'ipaddr.js';
import * as v from 'valibot';
import { type GoogleSettings, googleIssuer } from './accounts/google/settings.ts';
import type { Quotas } from './blog/posts/quotas.ts';
import { UsageError } from './cli/errors.ts';
import { isHttpOrigin } from './http-origin.ts';
import { isDecodable } from './is-decodable.ts';
import type { PublishHookSettings } from './publishing/publish-hook.ts';
import { parseS3Url, type S3Location } from './s3/s3-url.ts';
import type { SiteReaders } from './storage/data-folder/permissions.ts';

const hasProtocol = (value: string, protocols: readonly string[]): boolean =>
  protocols.includes(URL.parse(value)?.protocol ?? '');

/** Requires a host, unlike `smtp:mail`, and a user and password that can be decoded. */
function isSmtpUrl(value: string): boolean {
  const url = URL.parse(value);
  if (!url?.hostname || !['smtp:', 'smtps:'].includes(url.protocol)) return false;
  return isDecodable(url.username) && isDecodable(url.password);
}

/** OpenID Connect Discovery §2. http is allowed on localhost. */
const isIssuer = (value: string): boolean => {
  const url = URL.parse(value);
  if (url === null || url.search || url.hash) return false;
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal);
};

const port = v.pipe(
  v.string(),
  v.regex(/^\d+$/, 'must be a whole number from 1 to 65535, such as 4321'),
  v.transform(Number),
  v.check((n) => n >= 1 && n <= 65_535, 'must be a whole number from 1 to 65535, such as 4321'),
);
const quota = v.pipe(
  v.string(),
  v.regex(/^\d{1,6}$/, 'must be a whole number up to 999999, such as 100'),
  v.transform(Number),
);
const address = v.pipe(
  v.string(),
  v.transform(normalizeEmail),
  v.check(isEmailAddress, 'must be an email address without a name, such as hello@example.com'),
);

/** The address, with its name if it has one. */
function partsOfMailbox(value: string): { name: string; email: string } {
  const [, name, email] = /^([^<>\p{Cc}]+)<([^<>]+)>$/u.exec(value) ?? [];
  return name && email ? { name, email } : { name: '', email: value };
}

const mailbox = v.pipe(
  v.string(),
  v.transform(partsOfMailbox),
  v.check(
    ({ email }) => isEmailAddress(email),
    'must be an email address, such as hello@example.com or Company <hello@example.com>',
  ),
  v.transform(({ name, email }) =>
    name ? `${name}<${normalizeEmail(email)}>` : normalizeEmail(email),
  ),
);
const httpUrl = v.pipe(
  v.string(),
  v.check(
    (value) => hasProtocol(value, ['http:', 'https:']),
    'must be a URL that starts with http:// or https://',
  ),
);

/** 127.0.0.1, 10.0.0.0/8, ::1, fd00::/8 */
const isNetwork = (value: string): boolean =>
  value.includes('/')
    ? ipaddr.IPv4.isValidCIDRFourPartDecimal(value) || ipaddr.IPv6.isValidCIDR(value)
    : ipaddr.IPv4.isValidFourPartDecimal(value) || ipaddr.IPv6.isValid(value);

/** No proxy: clients connect directly. */
const isNone = (parts: readonly string[]): boolean => parts.length === 1 && parts[0] === 'none';

/** Allows no password, because it would end up in logs. */
export const isDatabaseUrl = (value: string): boolean => {
  const url = URL.parse(value);
  if (url === null || url.username || url.password || url.search || url.hash) return false;
  return hasProtocol(value, ['libsql:', 'https:', 'http:']);
};

const defaultDataDir = './data';

const variables = v.object({
  PORT: v.optional(port, '4321'),
  HOST: v.optional(
    v.pipe(
      v.string(),
      // IPv6 addresses may be written in brackets, as in URLs.
      v.transform((value) => value.replace(/^\[(.*)\]$/, '$1')),
    ),
    '127.0.0.1',
  ),
  LISTEN_FDS: v.optional(v.string()),
  LISTEN_PID: v.optional(v.string()),
  DATA_DIR: v.optional(v.string(), defaultDataDir),
  DATABASE_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        isDatabaseUrl,
        'must be the URL of a libSQL server without a user or options, such as libsql://db.example.com or http://database:8080; the token goes in DATABASE_AUTH_TOKEN',
      ),
    ),
  ),
  DATABASE_AUTH_TOKEN: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[\w.~+/=-]+$/, 'must be a token of the libSQL server, without spaces'),
    ),
  ),
  PUBLIC_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(isHttpOrigin, 'must be an origin without a path, such as https://example.com'),
    ),
  ),
  RESEND_API_KEY: v.optional(v.string()),
  RESEND_BASE_URL: v.optional(httpUrl),
  RESEND_WEBHOOK_SECRET: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/,
        'must be the signing secret of the Resend webhook, which begins with whsec_',
      ),
    ),
  ),
  SMTP_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        isSmtpUrl,
        'must be a URL such as smtps://user:password@mail.example.com, with special characters percent-encoded',
      ),
    ),
  ),
  MAIL_FROM: v.optional(mailbox),
  MAIL_TO: v.optional(address, company.mailboxes.hello),
  GOOGLE_CLIENT_ID: v.optional(v.string()),
  GOOGLE_CLIENT_SECRET: v.optional(v.string()),
  GOOGLE_ISSUER: v.optional(
    v.pipe(
      v.string(),
      v.check(
        isIssuer,
        'must be the https:// URL of an OpenID provider; http:// is only allowed for localhost',
      ),
    ),
    googleIssuer,
  ),
  AUTHORING: v.optional(v.picklist(['everyone', 'team'], 'must be everyone or team'), 'everyone'),
  MEMBER_MAX_POSTS: v.optional(quota, '200'),
  MEMBER_MAX_TEXT_MB: v.optional(quota, '100'),
  MEMBER_MAX_PUBLISHES_PER_HOUR: v.optional(quota, '100'),
  TRUST_PROXY: v.optional(
    v.pipe(
      v.string(),
      v.transform((value) => value.split(',').map((part) => part.trim())),
      v.check(
        (parts) => isNone(parts) || parts.every(isNetwork),
        'must be comma-separated addresses or networks, such as 127.0.0.1, 10.0.0.0/8, or none',
      ),
    ),
    'none',
  ),
  SITE_READERS: v.optional(v.picklist(['owner', 'group'], 'must be owner or group'), 'owner'),
  PUBLISH_HOOK: v.optional(
    v.pipe(
      httpUrl,
      v.check(
        (value) => !URL.parse(value)?.username,
        'must not contain a user: the secret signs each request',
      ),
    ),
  ),
  PUBLISH_HOOK_SECRET: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/,
        'must be whsec_ and 24 to 64 random bytes in base64: echo "whsec_$(openssl rand -base64 32)"',
      ),
    ),
  ),
  LOG_LEVEL: v.optional(
    v.picklist(
      ['debug', 'info', 'warn', 'error', 'silent'],
      'must be debug, info, warn, error or silent',
    ),
    'info',
  ),
  METRICS_TOKEN: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^[\x21-\x7e]{32,}$/,
        'must be at least 32 characters without spaces, such as the output of `openssl rand -hex 32`',
      ),
    ),
  ),
  AWS_ACCESS_KEY_ID: v.optional(v.string()),
  AWS_SECRET_ACCESS_KEY: v.optional(v.string()),
  AWS_SESSION_TOKEN: v.optional(v.string()),
  UPLOADS_URL: v.optional(v.string()),
  DEV_PAGES: v.optional(v.picklist(['on'], 'must be on or not set')),
});

type Settings = v.InferOutput<typeof variables>;

export type Env = ReturnType<typeof toEnv>;

type EnvResult = { env: Env } | { problems: string[] };

/** Reads the settings, see docs/configuration.md. Returns all problems, each with its fix. */
export function parseEnv(
  source: Record<string, string | undefined> = process.env,
  program: 'server' | 'command' = 'server',
): EnvResult {
  const given = Object.fromEntries(
    Object.entries(source).filter(([name, value]) => name in variables.entries && value !== ''),
  );
  const result = v.safeParse(variables, given);
  const problems = (result.issues ?? []).map((issue) => `${v.getDotPath(issue)} ${issue.message}.`);
  if (given['RESEND_API_KEY'] && given['SMTP_URL']) {
    problems.push('RESEND_API_KEY and SMTP_URL are both set: keep the one that should send email.');
  }
  if ((given['RESEND_API_KEY'] || given['SMTP_URL']) && !given['MAIL_FROM']) {
    problems.push('MAIL_FROM must be set to send email: an address your email provider allows.');
  }
  if (Boolean(given['PUBLISH_HOOK']) !== Boolean(given['PUBLISH_HOOK_SECRET'])) {
    problems.push('PUBLISH_HOOK and PUBLISH_HOOK_SECRET belong together: set both or neither.');
  }
  // `database move` uses the token for the server to which it moves the database.
  if (program === 'server' && given['DATABASE_AUTH_TOKEN'] && !given['DATABASE_URL']) {
    problems.push(
      'DATABASE_AUTH_TOKEN is set without DATABASE_URL: set both, or unset DATABASE_AUTH_TOKEN.',
    );
  }
  if (Boolean(given['GOOGLE_CLIENT_ID']) !== Boolean(given['GOOGLE_CLIENT_SECRET'])) {
    problems.push(
      'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together: set both or neither.',
    );
  }
  if (hasSocket(given) && given['LISTEN_FDS'] !== '1') {
    problems.push('LISTEN_FDS must be 1: leave one ListenStream in the socket unit of systemd.');
  }
  if (Boolean(given['AWS_ACCESS_KEY_ID']) !== Boolean(given['AWS_SECRET_ACCESS_KEY'])) {
    problems.push(
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY belong together: set both or neither.',
    );
  }
  problems.push(...uploadsProblems(given));
  const publicUrl = given['PUBLIC_URL'] ?? '';
  const isHttps = isHttpOrigin(publicUrl) && hasProtocol(publicUrl, ['https:']);
  if (isHttps && !given['TRUST_PROXY']) {
    problems.push(
      'TRUST_PROXY must be set when PUBLIC_URL is https: the address of the proxy in front of this server, such as 127.0.0.1, or none when clients connect directly. Without it, rate limits cannot tell clients apart.',
    );
  }
  if (!result.success || problems.length > 0) return { problems };

  return { env: toEnv(result.output) };
}

/**
 * Whether systemd passes a socket to this process: sd_listen_fds(3). Child processes inherit the
 * variables, too.
 */
const hasSocket = ({ LISTEN_PID: pid }: { LISTEN_PID?: string | undefined }): boolean =>
  pid === String(process.pid);

/** DATA_DIR as an absolute path, even if other settings are invalid. */
export const dataDirOf = (
  source: Readonly<Record<string, string | undefined>> = process.env,
): string => resolve(source['DATA_DIR'] || defaultDataDir);

/** Works even if other settings are invalid. */
export const isDatabaseShared = (
  source: Readonly<Record<string, string | undefined>> = process.env,
): boolean => Boolean(source['DATABASE_URL']);

const publicUrlOf = ({ PUBLIC_URL, PORT }: Settings): URL =>
  new URL(PUBLIC_URL ?? `http://localhost:${PORT}`);

const toEnv = (settings: Settings) => ({
  port: settings.PORT,
  host: settings.HOST,
  hasSocket: hasSocket(settings),
  /** Absolute. */
  dataDir: resolve(settings.DATA_DIR),
  /** Undefined: the database is a file in DATA_DIR. */
  databaseServer: databaseServer(settings),
  /** For that server, or for the one to which a command moves the database. */
  databaseToken: settings.DATABASE_AUTH_TOKEN,
  /** Without a trailing slash. */
  publicUrl: publicUrlOf(settings).origin,
  email: emailSettings(settings),
  /** Receives contact and career notices. */
  emailTo: settings.MAIL_TO,
  /** Undefined disables the webhook. */
  resendWebhookSecret: settings.RESEND_WEBHOOK_SECRET,
  /** Undefined: no one is notified of changed paths. */
  publishHook: publishHookSettings(settings),
  google: googleSettings(settings),
  authoring: settings.AUTHORING,
  quotas: {
    posts: settings.MEMBER_MAX_POSTS,
    textBytes: settings.MEMBER_MAX_TEXT_MB * 1_048_576,
    publishesPerHour: settings.MEMBER_MAX_PUBLISHES_PER_HOUR,
  } satisfies Quotas,
  /** Addresses and networks (CIDR) whose X-Forwarded-For is trusted. */
  trustProxy: isNone(settings.TRUST_PROXY) ? [] : settings.TRUST_PROXY,
  siteReaders: settings.SITE_READERS satisfies SiteReaders,
  logLevel: settings.LOG_LEVEL,
  /** Undefined: only programs on this machine can read metrics. */
  metricsToken: settings.METRICS_TOKEN,
  /** For s3:// URLs. Undefined if they are not set. */
  s3: s3Credentials(settings),
  /** The bucket of avatars and pictures. Undefined: they are files in DATA_DIR. */
  uploads: uploadsSettings(settings),
  /** Enables /api/dev: page data for Astro's dev server, and all emails. */
  devPages: settings.DEV_PAGES === 'on',
});

export interface DatabaseServer {
  url: string;
  authToken?: string;
}

function databaseServer(settings: Settings): DatabaseServer | undefined {
  const { DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken } = settings;
  return url === undefined ? undefined : { url, ...(authToken && { authToken }) };
}

function publishHookSettings(settings: Settings): PublishHookSettings | undefined {
  const { PUBLISH_HOOK: url, PUBLISH_HOOK_SECRET: secret } = settings;
  return url && secret ? { url, secret } : undefined;
}

function googleSettings(settings: Settings): GoogleSettings | undefined {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = settings;
  if (!clientId || !clientSecret) return undefined;
  return { clientId, clientSecret, issuer: settings.GOOGLE_ISSUER };
}

export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  /** For temporary credentials. */
  sessionToken?: string;
}

function s3Credentials(settings: Settings): S3Credentials | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (!accessKeyId || !secretAccessKey) return undefined;
  const sessionToken = settings.AWS_SESSION_TOKEN;
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

export interface UploadsSettings {
  location: S3Location;
  credentials: S3Credentials;
}

function uploadsSettings(settings: Settings): UploadsSettings | undefined {
  const credentials = s3Credentials(settings);
  if (settings.UPLOADS_URL === undefined || !credentials) return undefined;
  return { location: parseS3Url(settings.UPLOADS_URL), credentials };
}

function uploadsProblems(given: Readonly<Record<string, string | undefined>>): string[] {
  const url = given['UPLOADS_URL'];
  if (url === undefined) return [];
  const found: string[] = [];
  try {
    parseS3Url(url);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    found.push(`UPLOADS_URL is not a valid s3:// URL. ${error.message}`);
  }
  if (!given['AWS_ACCESS_KEY_ID'] && !given['AWS_SECRET_ACCESS_KEY']) {
    found.push('UPLOADS_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: set both.');
  }
  return found;
}

function emailSettings(settings: Settings) {
  const from = settings.MAIL_FROM;
  if (settings.RESEND_API_KEY && from) {
    return {
      transport: 'resend' as const,
      apiKey: settings.RESEND_API_KEY,
      baseUrl: settings.RESEND_BASE_URL,
      from,
    };
  }
  if (settings.SMTP_URL && from)
    return { transport: 'smtp' as const, url: settings.SMTP_URL, from };
  return { transport: 'files' as const, from };
}
