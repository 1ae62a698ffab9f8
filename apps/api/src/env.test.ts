import { resolve } from 'node:path';
import { company } from '@app/site/company';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Env, parseEnv } from './env.ts';

afterEach(() => vi.unstubAllEnvs());

function envOf(source: Record<string, string | undefined>): Env {
  const result = parseEnv(source);
  if ('problems' in result) throw new Error(result.problems.join(' '));
  return result.env;
}

function problemsOf(source: Record<string, string | undefined>): string[] {
  const result = parseEnv(source);
  return 'problems' in result ? result.problems : [];
}

test('needs no settings for development', () => {
  expect(envOf({})).toEqual({
    port: 4321,
    host: '127.0.0.1',
    hasSocket: false,
    dataDir: resolve('data'),
    databaseServer: undefined,
    publicUrl: 'http://localhost:4321',
    email: { transport: 'files', from: undefined },
    emailTo: company.mailboxes.hello,
    resendWebhookSecret: undefined,
    publishHook: undefined,
    google: undefined,
    authoring: 'everyone',
    quotas: { posts: 200, textBytes: 104_857_600, publishesPerHour: 100 },
    trustProxy: [],
    siteReaders: 'owner',
    logLevel: 'info',
    metricsToken: undefined,
    s3: undefined,
    devPages: false,
  });
});

test('an empty variable counts as absent', () => {
  const names = [
    'PORT',
    'HOST',
    'LISTEN_FDS',
    'LISTEN_PID',
    'DATA_DIR',
    'DATABASE_URL',
    'DATABASE_AUTH_TOKEN',
    'PUBLIC_URL',
    'RESEND_API_KEY',
    'RESEND_BASE_URL',
  ];
  const more = [
    'SMTP_URL',
    'MAIL_FROM',
    'MAIL_TO',
    'AUTHORING',
    'TRUST_PROXY',
    'SITE_READERS',
    'RESEND_WEBHOOK_SECRET',
    'GOOGLE_CLIENT_ID',
    'GOOGLE_CLIENT_SECRET',
    'GOOGLE_ISSUER',
    'LOG_LEVEL',
    'METRICS_TOKEN',
    'PUBLISH_HOOK',
    'PUBLISH_HOOK_SECRET',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'UPLOADS_URL',
    'DEV_PAGES',
  ];
  const empty = Object.fromEntries([...names, ...more].map((name) => [name, '']));
  expect(envOf(empty)).toEqual(envOf({}));
});

test('accepts one socket from systemd, and ignores those for other processes', () => {
  const own = String(process.pid);
  expect(envOf({ LISTEN_PID: own, LISTEN_FDS: '1' }).hasSocket).toBe(true);
  expect(envOf({ LISTEN_PID: '1', LISTEN_FDS: '2' }).hasSocket).toBe(false);
  expect(problemsOf({ LISTEN_PID: own, LISTEN_FDS: '2' })).toEqual([
    'LISTEN_FDS must be 1: leave one ListenStream in the socket unit of systemd.',
  ]);
});

test('ignores variables of other programs', () => {
  expect(envOf({ HOME: '/root', port: '1', npm_config_port: 'x' })).toEqual(envOf({}));
});

test("reads the process's environment", () => {
  vi.stubEnv('PORT', '4400');
  expect(parseEnv()).toMatchObject({ env: { port: 4400 } });
});

test('PUBLIC_URL defaults to the port', () => {
  expect(envOf({ PORT: '8080' })).toMatchObject({ port: 8080, publicUrl: 'http://localhost:8080' });
});

test('DATA_DIR becomes absolute', () => {
  expect(envOf({ DATA_DIR: 'some/where' }).dataDir).toBe(resolve('some/where'));
  expect(envOf({ DATA_DIR: '/var/lib/site' }).dataDir).toBe('/var/lib/site');
});

test.each([
  ['https://example.com', 'https://example.com'],
  ['https://example.com/', 'https://example.com'],
  ['HTTPS://Example.COM', 'https://example.com'],
  ['https://example.com:443', 'https://example.com'],
  ['http://example.com:80/', 'http://example.com'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
])('PUBLIC_URL %s becomes %s, as browsers send it in Origin', (given, origin) => {
  expect(envOf({ PUBLIC_URL: given, TRUST_PROXY: 'none' }).publicUrl).toBe(origin);
});

test.each([
  'example.com',
  'localhost:4321',
  '//example.com',
  'ftp://example.com',
  'https://example.com/blog',
  'https://example.com/?a=b',
  'https://example.com/#contact',
  'https://user@example.com',
  'https://',
  'not an address',
])('PUBLIC_URL %j is refused', (given) => {
  expect(problemsOf({ PUBLIC_URL: given })).toEqual([
    'PUBLIC_URL must be an origin without a path, such as https://example.com.',
  ]);
});

test.each(['0', '65536', '-1', '4321.5', '1e3', '0x10', ' 4321', 'http'])(
  'PORT %j is refused',
  (given) => {
    expect(problemsOf({ PORT: given })).toEqual([
      'PORT must be a whole number from 1 to 65535, such as 4321.',
    ]);
  },
);

test.each(['1', '65535'])('accepts PORT %s', (given) => {
  expect(envOf({ PORT: given }).port).toBe(Number(given));
});

test.each([
  'hello@example.com',
  'Fieldlight <hello@example.com>',
  "pat.o'brien&co@xn--mller-kva.example",
  '"Fieldlight, Inc." <hello@xn--mller-kva.example>',
])('accepts MAIL_FROM %j', (from) => {
  expect(envOf({ MAIL_FROM: from }).email).toEqual({ transport: 'files', from });
});

test('domains of senders and recipients become ASCII', () => {
  const { email, emailTo } = envOf({
    MAIL_FROM: 'Müller <Info@Müller.example>',
    MAIL_TO: 'Info@Müller.example',
  });
  expect(email.from).toBe('Müller <info@xn--mller-kva.example>');
  expect(emailTo).toBe('info@xn--mller-kva.example');
});

test.each([
  'hello',
  'hello@',
  '@example.com',
  'a@b@c',
  'Hello hello@example.com',
  'a@b.c\nBcc: d@e.f',
  'Hello\nBcc: x <a@b.c>',
  'Hello <a@b.c> <d@e.f>',
  'Hello <a@b.c, d@e.f>',
  'a@-b.c',
])('MAIL_FROM %j is refused', (from) => {
  expect(problemsOf({ MAIL_FROM: from })).toEqual([
    'MAIL_FROM must be an email address, such as hello@example.com or Company <hello@example.com>.',
  ]);
});

// The outbox stores addresses without names.
test.each([
  'Fieldlight <hello@example.com>',
  'hello',
  'a@b.c, d@e.f',
  'a@b.c\nBcc: d@e.f',
  'a@b_c.d',
])('MAIL_TO %j is refused', (to) => {
  expect(problemsOf({ MAIL_TO: to })).toEqual([
    'MAIL_TO must be an email address without a name, such as hello@example.com.',
  ]);
});

test('accepts an address as MAIL_TO', () => {
  expect(envOf({ MAIL_TO: 'hello@example.com' }).emailTo).toBe('hello@example.com');
});

test.each([
  ['none', []],
  ['127.0.0.1', ['127.0.0.1']],
  ['10.0.0.0/8, fd00::/8,::1', ['10.0.0.0/8', 'fd00::/8', '::1']],
])('accepts TRUST_PROXY %j', (given, networks) => {
  expect(envOf({ TRUST_PROXY: given }).trustProxy).toEqual(networks);
});

test.each(['https://example.com', 'HTTPS://example.com'])(
  'PUBLIC_URL %s requires TRUST_PROXY and accepts none',
  (PUBLIC_URL) => {
    expect(problemsOf({ PUBLIC_URL })).toEqual([
      expect.stringMatching(/^TRUST_PROXY must be set /),
    ]);
    expect(problemsOf({ PUBLIC_URL, TRUST_PROXY: '' })).toHaveLength(1);
    expect(envOf({ PUBLIC_URL, TRUST_PROXY: 'none' }).trustProxy).toEqual([]);
    expect(envOf({ PUBLIC_URL, TRUST_PROXY: '127.0.0.1' }).trustProxy).toEqual(['127.0.0.1']);
  },
);

// Short forms of addresses are mistakes: 10 would be 0.0.0.10.
test.each([
  'proxy.example.com',
  '10',
  '10.0.0.0/33',
  '10.1',
  '*',
  'true',
  '127.0.0.1,',
  'none, 127.0.0.1',
  'fd00::/129',
])('TRUST_PROXY %j is refused', (given) => {
  expect(problemsOf({ TRUST_PROXY: given })).toEqual([
    'TRUST_PROXY must be comma-separated addresses or networks, such as 127.0.0.1, 10.0.0.0/8, or none.',
  ]);
});

test('accepts RESEND_WEBHOOK_SECRET as Resend displays it', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  expect(envOf({ RESEND_WEBHOOK_SECRET: secret }).resendWebhookSecret).toBe(secret);
});

test.each([
  'whsec_',
  'whsec_short',
  're_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'whsec_not base64 at all',
])('RESEND_WEBHOOK_SECRET %j is refused', (given) => {
  expect(problemsOf({ RESEND_WEBHOOK_SECRET: given })).toEqual([
    'RESEND_WEBHOOK_SECRET must be the signing secret of the Resend webhook, which begins with whsec_.',
  ]);
});

test('accepts METRICS_TOKEN with 32 characters or more', () => {
  for (const token of ['f'.repeat(32), 'aB3+/=_-'.repeat(8)]) {
    expect(envOf({ METRICS_TOKEN: token }).metricsToken).toBe(token);
  }
});

test.each(['f'.repeat(31), `${'f'.repeat(32)} `, 'ä'.repeat(32), `${'f'.repeat(40)}\nf`])(
  'METRICS_TOKEN %j is refused',
  (token) => {
    expect(problemsOf({ METRICS_TOKEN: token })).toEqual([
      'METRICS_TOKEN must be at least 32 characters without spaces, such as the output of `openssl rand -hex 32`.',
    ]);
  },
);

const google = { GOOGLE_CLIENT_ID: 'site.apps.example', GOOGLE_CLIENT_SECRET: 'secret' };

test.each([
  [undefined, 'https://accounts.google.com'],
  ['https://login.example/tenant/', 'https://login.example/tenant/'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
])('with GOOGLE_ISSUER %j, people sign in at %s', (given, issuer) => {
  expect(envOf({ ...google, GOOGLE_ISSUER: given }).google).toEqual({
    clientId: 'site.apps.example',
    clientSecret: 'secret',
    issuer,
  });
});

test.each([
  'accounts.google.com',
  'http://login.example',
  'http://localhost.evil.example',
  'ftp://localhost',
  'https://login.example/?tenant=1',
  'https://login.example/#a',
])('GOOGLE_ISSUER %j is refused', (given) => {
  expect(problemsOf({ ...google, GOOGLE_ISSUER: given })).toEqual([
    'GOOGLE_ISSUER must be the https:// URL of an OpenID provider; http:// is only allowed for localhost.',
  ]);
});

test.each(Object.keys(google))('rejects only one of the two Google credentials: %s', (name) => {
  expect(problemsOf({ ...google, [name]: '' })).toEqual([
    'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together: set both or neither.',
  ]);
});

const s3 = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };

test('reads the credentials for S3', () => {
  expect(envOf(s3).s3).toEqual({ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' });
  expect(envOf({ ...s3, AWS_SESSION_TOKEN: 'token' }).s3).toMatchObject({ sessionToken: 'token' });
});

test.each(Object.keys(s3))('rejects only one of the two S3 credentials: %s', (name) => {
  expect(problemsOf({ ...s3, [name]: '' })).toEqual([
    'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY belong together: set both or neither.',
  ]);
});

test('reads the bucket of uploads', () => {
  const UPLOADS_URL = 's3://bucket/site?endpoint=https://storage.example.com&region=eu-west-1';
  expect(envOf({ ...s3, UPLOADS_URL }).uploads).toEqual({
    location: {
      bucket: 'bucket',
      key: 'site',
      endpoint: 'https://storage.example.com',
      region: 'eu-west-1',
    },
    credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' },
  });
  expect(envOf(s3).uploads).toBeUndefined();
});

test.each([
  ['https://bucket.example.com', /^UPLOADS_URL is not a valid s3:\/\/ URL\. Expected a bucket/],
  ['s3://key:secret-word@bucket', /^UPLOADS_URL .* An s3:\/\/ URL has no credentials: set AWS_/],
  ['s3://bucket?acl=public', /^UPLOADS_URL .* "acl" is not a parameter/],
])('rejects %s as the bucket of uploads', (UPLOADS_URL, message) => {
  const problems = problemsOf({ ...s3, UPLOADS_URL });
  expect(problems).toEqual([expect.stringMatching(message)]);
  expect(problems.join()).not.toContain('secret-word');
});

test('rejects a bucket of uploads without credentials', () => {
  expect(problemsOf({ UPLOADS_URL: 's3://bucket' })).toEqual([
    'UPLOADS_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: set both.',
  ]);
});

test('selects the email transport by the settings', () => {
  const MAIL_FROM = 'hello@example.com';
  expect(envOf({ RESEND_API_KEY: 're_1', MAIL_FROM }).email).toEqual({
    transport: 'resend',
    apiKey: 're_1',
    baseUrl: undefined,
    from: MAIL_FROM,
  });
  expect(
    envOf({ RESEND_API_KEY: 're_1', RESEND_BASE_URL: 'http://127.0.0.1:9', MAIL_FROM }).email,
  ).toMatchObject({ baseUrl: 'http://127.0.0.1:9' });
  expect(envOf({ SMTP_URL: 'smtps://user:password@mail.example.com', MAIL_FROM }).email).toEqual({
    transport: 'smtp',
    url: 'smtps://user:password@mail.example.com',
    from: MAIL_FROM,
  });
});

test('rejects two email transports', () => {
  const both = { RESEND_API_KEY: 're_1', SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@example.com' };
  expect(problemsOf(both)).toEqual([
    'RESEND_API_KEY and SMTP_URL are both set: keep the one that should send email.',
  ]);
});

test.each([{ RESEND_API_KEY: 're_1' }, { SMTP_URL: 'smtp://localhost' }])(
  'requires a sender to send email with %j',
  (given) => {
    expect(problemsOf(given)).toEqual([
      'MAIL_FROM must be set to send email: an address your email provider allows.',
    ]);
  },
);

test('returns all problems at once, each with its fix', () => {
  const problems = problemsOf({
    PORT: 'http',
    PUBLIC_URL: 'example.com',
    RESEND_API_KEY: 're_1',
    RESEND_BASE_URL: 'resend',
    SMTP_URL: 'mail.example.com',
    MAIL_TO: 'nobody',
    AUTHORING: 'anyone',
    TRUST_PROXY: 'everybody',
    LOG_LEVEL: 'loud',
    METRICS_TOKEN: 'short',
    DEV_PAGES: 'yes',
  });
  expect(problems.map((text) => text.split(' ')[0])).toEqual([
    'PORT',
    'PUBLIC_URL',
    'RESEND_BASE_URL',
    'SMTP_URL',
    'MAIL_TO',
    'AUTHORING',
    'TRUST_PROXY',
    'LOG_LEVEL',
    'METRICS_TOKEN',
    'DEV_PAGES',
    'RESEND_API_KEY',
    'MAIL_FROM',
  ]);
  for (const text of problems) expect(text).toMatch(/ (?:must be|keep) .*\.$/);
});

test.each(['smtp:mail', 'smtp://', 'smtps://ann:100%@mail.example.com'])(
  'rejects SMTP_URL %s, which has no host or an invalid password',
  (url) => {
    expect(problemsOf({ SMTP_URL: url, MAIL_FROM: 'a@example.com' })).toEqual([
      'SMTP_URL must be a URL such as smtps://user:password@mail.example.com, with special characters percent-encoded.',
    ]);
  },
);

test.each(['::1', '[::1]'])('HOST %s becomes an address without brackets', (HOST) => {
  expect(envOf({ HOST }).host).toBe('::1');
});

test('a problem never repeats the value, which may be a secret', () => {
  const problems = problemsOf({ SMTP_URL: 'user:secret-password@mail.example.com' });
  expect(problems).toHaveLength(2);
  expect(problems.join()).not.toContain('secret-password');
});

describe('the publish hook', () => {
  const hook = 'http://127.0.0.1:8080/purge';
  const hookSecret = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;

  test('has a secret and a URL, which may be on this machine', () => {
    const { publishHook } = envOf({ PUBLISH_HOOK: hook, PUBLISH_HOOK_SECRET: hookSecret });
    expect(publishHook).toEqual({ url: hook, secret: hookSecret });
  });

  test.each([
    [{ PUBLISH_HOOK: hook }, 'belong together'],
    [{ PUBLISH_HOOK_SECRET: hookSecret }, 'belong together'],
    [{ PUBLISH_HOOK: 'ftp://a.example', PUBLISH_HOOK_SECRET: hookSecret }, 'must be a URL'],
    [
      { PUBLISH_HOOK: 'https://user:word@a.example', PUBLISH_HOOK_SECRET: hookSecret },
      'must not contain a user',
    ],
    [{ PUBLISH_HOOK: hook, PUBLISH_HOOK_SECRET: 'secret' }, 'must be whsec_ and 24 to 64'],
    [{ PUBLISH_HOOK: hook, PUBLISH_HOOK_SECRET: 'whsec_c2hvcnQ=' }, 'must be whsec_'],
  ])('%j is refused', (source, problem) => {
    expect(problemsOf(source)).toEqual([expect.stringContaining(problem)]);
  });
});

test('accepts a database server, and a token only together with it', () => {
  const url = 'libsql://db.example.com';
  expect(envOf({ DATABASE_URL: url }).databaseServer).toEqual({ url });
  const authToken = 'eyJ.a-b_c.d';
  const both = { DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken };
  expect(envOf(both).databaseServer).toEqual({ url, authToken });
  expect(problemsOf({ DATABASE_AUTH_TOKEN: authToken })).toEqual([
    'DATABASE_AUTH_TOKEN is set without DATABASE_URL: set both, or unset DATABASE_AUTH_TOKEN.',
  ]);
  // `database move` uses it for the other server.
  expect(parseEnv({ DATABASE_AUTH_TOKEN: authToken }, 'command')).toMatchObject({
    env: { databaseToken: authToken, databaseServer: undefined },
  });
  const wrong = ['db.example.com', 'file:site.db', 'http://a:b@db', 'libsql://db?authToken=x'];
  for (const DATABASE_URL of wrong) {
    expect(problemsOf({ DATABASE_URL })).toEqual([
      expect.stringMatching(/^DATABASE_URL must be the URL of a libSQL server/),
    ]);
  }
});
