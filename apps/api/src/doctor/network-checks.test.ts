import { describe, expect, test } from 'vitest';
import { envOf } from '../testing/deployment.ts';
import { MovingClock } from '../testing/test-app.ts';
import type { Check } from './check.ts';
import { clockSkew } from './checks/clock.ts';
import { dns } from './checks/public-url.ts';
import { senderRecords } from './checks/sender-records.ts';
import { settings } from './checks/settings.ts';
import { https } from './checks/tls.ts';
import { foldersOf } from './folders.ts';
import type { Network, Reply } from './network.ts';
import { runChecks } from './run-checks.ts';

interface Answers {
  /** By URL. All other URLs refuse the connection. */
  replies?: Record<string, Partial<Reply>>;
  /** By name and type. All other names have none. */
  records?: Record<string, string[]>;
}

function networkOf({ replies = {}, records = {} }: Answers): Network {
  return {
    async get(url) {
      const reply = replies[url];
      if (!reply) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      return { ...{ status: 200, headers: {}, body: '', localAddress: '' }, ...reply };
    },
    certificateOf: () => Promise.reject(new Error('not used')),
    resolve: async (name, type) => records[`${name} ${type}`] ?? [],
  };
}

const publicUrl = 'https://www.example.com';
const resend = { RESEND_API_KEY: 're_secret', MAIL_FROM: 'Site <hello@mail.example.com>' };
const smtp = { SMTP_URL: 'smtps://u:p@smtp.example.com', MAIL_FROM: 'hello@mail.example.com' };

async function check(
  one: Check,
  answers: Answers = {},
  environment: Record<string, string> = {},
): Promise<string[]> {
  const env = envOf({ PUBLIC_URL: publicUrl, TRUST_PROXY: '127.0.0.1', ...environment });
  const context = {
    ...foldersOf({ DATA_DIR: '/nowhere' }),
    clock: new MovingClock(),
    network: networkOf(answers),
  };
  const found = await runChecks([one], context, env);
  for (const { state, fix } of found) {
    expect(fix === null).toBe(state === 'ok' || state === 'skipped');
  }
  return found.map(({ state, finding }) => `${state}: ${finding}`);
}

describe('settings', () => {
  test.each<[Record<string, string>, RegExp]>([
    [{}, /^ok: The settings are valid\.$/],
    [{ PUBLIC_URL: 'http://localhost:4321' }, /^warning: PUBLIC_URL is localhost/],
    [{ PUBLIC_URL: 'http://www.example.com' }, /^warning: PUBLIC_URL is http: passwords/],
    [{ TRUST_PROXY: 'none' }, /^warning: .* but TRUST_PROXY is none/],
    [{ HOST: '0.0.0.0' }, /^warning: HOST is 0\.0\.0\.0: the server is also reachable/],
    [{ DEV_PAGES: 'on' }, /^warning: DEV_PAGES is on/],
    [resend, /^warning: RESEND_WEBHOOK_SECRET is not set/],
  ])('checks %j', async (environment, expected) => {
    const [finding, ...others] = await check(settings, {}, environment);
    expect(finding).toMatch(expected);
    expect(others).toEqual([]);
  });
});

test('requires an A or AAAA record in DNS', async () => {
  expect(await check(dns)).toEqual(['failure: www.example.com has no A or AAAA record.']);
  const records = {
    'www.example.com A': ['198.51.100.7'],
    'www.example.com AAAA': ['2001:db8::7'],
  };
  expect(await check(dns, { records })).toEqual([
    'ok: www.example.com is 198.51.100.7, 2001:db8::7.',
  ]);
  expect(await check(dns, {}, { PUBLIC_URL: 'https://198.51.100.7' })).toEqual([
    'skipped: PUBLIC_URL is an IP address.',
  ]);
});

test('reports a DNS server that does not respond as a failure', async () => {
  const network = {
    ...networkOf({}),
    resolve: () => Promise.reject(new Error('queryA ETIMEOUT www.example.com')),
  };
  const env = envOf({ PUBLIC_URL: publicUrl, TRUST_PROXY: '127.0.0.1' });
  const context = { ...foldersOf({ DATA_DIR: '/nowhere' }), clock: new MovingClock(), network };
  expect(await runChecks([dns], context, env)).toEqual([
    {
      check: 'DNS',
      state: 'failure',
      finding: 'The check failed (queryA ETIMEOUT www.example.com).',
      fix: 'Fix the cause, then try again.',
    },
  ]);
});

describe('https', () => {
  const page = { headers: { 'strict-transport-security': 'max-age=63072000' } };
  const redirect = { status: 308, headers: { location: `${publicUrl}/` } };

  test.each<[string, Record<string, Partial<Reply>>, string[]]>([
    [
      'with a redirect',
      { [`${publicUrl}/`]: page, 'http://www.example.com/': redirect },
      ['ok: http is redirected to https, and browsers remember it (HSTS).'],
    ],
    [
      'with a temporary redirect',
      { [`${publicUrl}/`]: page, 'http://www.example.com/': { ...redirect, status: 302 } },
      [`warning: http://www.example.com does not redirect permanently to ${publicUrl}.`],
    ],
    [
      'with a redirect to another site',
      {
        [`${publicUrl}/`]: page,
        'http://www.example.com/': { status: 301, headers: { location: `${publicUrl}.evil/` } },
      },
      [`warning: http://www.example.com does not redirect permanently to ${publicUrl}.`],
    ],
    [
      'without port 80',
      { [`${publicUrl}/`]: page },
      [
        'warning: http://www.example.com does not answer: visitors who type the URL without https may not reach the site.',
      ],
    ],
    [
      'with HSTS turned off',
      {
        [`${publicUrl}/`]: { headers: { 'strict-transport-security': 'max-age=0' } },
        'http://www.example.com/': redirect,
      },
      ['warning: The header Strict-Transport-Security (HSTS) is missing.'],
    ],
  ])('is checked %s', async (_what, replies, expected) => {
    expect(await check(https, { replies })).toEqual(expected);
  });
});

describe('clock', () => {
  const replyAfter = (seconds: number) => ({
    replies: {
      'https://api.resend.com': {
        headers: { date: new Date(new MovingClock().now() + seconds * 1_000).toUTCString() },
      },
    },
  });

  test.each<[number, string]>([
    [59, 'ok: The clock agrees with api.resend.com.'],
    [90, 'failure: The clock is 90 seconds behind, compared with api.resend.com.'],
    [-90, 'failure: The clock is 90 seconds ahead, compared with api.resend.com.'],
  ])('is checked with a difference of %d s', async (seconds, expected) => {
    expect(await check(clockSkew, replyAfter(seconds), resend)).toEqual([expected]);
  });

  test('is not compared if no service is configured or it does not respond', async () => {
    expect(await check(clockSkew, {}, smtp)).toEqual([
      'skipped: No https service is configured to compare the clock with: see `timedatectl`.',
    ]);
    expect(await check(clockSkew, {}, resend)).toEqual([
      'warning: api.resend.com does not answer, so the clock was not compared.',
    ]);
  });
});

describe('sender records', () => {
  const good = {
    'send.mail.example.com TXT': ['other', 'v=spf1 include:amazonses.com ~all'],
    'resend._domainkey.mail.example.com TXT': ['p=MIGfMA0GCSq'],
    '_dmarc.example.com TXT': ['v=DMARC1; p=quarantine'],
  };

  test('are found under the names that Resend uses, and DMARC at the parent domain', async () => {
    expect(await check(senderRecords, { records: good }, resend)).toEqual([
      'ok: send.mail.example.com has an SPF record; whether it names the provider was not checked.',
      'ok: resend._domainkey.mail.example.com has a DKIM key.',
      'ok: _dmarc.example.com has a DMARC record.',
    ]);
  });

  test('have a DKIM key of unknown name with an SMTP server', async () => {
    const records = {
      'mail.example.com TXT': ['v=spf1 mx -all'],
      '_dmarc.mail.example.com TXT': ['v=DMARC1; p=none'],
    };
    expect(await check(senderRecords, { records }, smtp)).toEqual([
      'ok: mail.example.com has an SPF record; whether it names the provider was not checked.',
      expect.stringMatching(
        /^skipped: The provider chooses the name of the DKIM key of mail\.example\.com/,
      ),
      'ok: _dmarc.mail.example.com has a DMARC record, which only asks for reports (p=none).',
    ]);
  });

  test.each<[string, Record<string, string[]>, string]>([
    ['no SPF', { 'send.mail.example.com TXT': ['v=spf10'] }, 'has no SPF record.'],
    [
      'two SPF',
      { 'send.mail.example.com TXT': ['v=spf1 -all', 'v=spf1 mx -all'] },
      'has 2 SPF records, so receivers use none.',
    ],
    ['open SPF', { 'send.mail.example.com TXT': ['v=spf1 +all'] }, 'lets anyone send (+all).'],
    [
      'a revoked DKIM key',
      { 'resend._domainkey.mail.example.com TXT': ['p='] },
      'has no DKIM key.',
    ],
    ['no DMARC', { '_dmarc.example.com TXT': [] }, 'mail.example.com has no DMARC record'],
  ])('with %s get a warning', async (_what, records, expected) => {
    const found = await check(senderRecords, { records: { ...good, ...records } }, resend);
    const wrong = found.filter((each) => each.startsWith('warning: '));
    expect(wrong).toEqual([expect.stringContaining(expected)]);
  });

  test('are skipped without a provider', async () => {
    expect(await check(senderRecords)).toEqual(['skipped: No email provider is set.']);
  });
});
