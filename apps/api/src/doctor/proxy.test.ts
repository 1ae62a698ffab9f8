import { describe, expect, test } from 'vitest';
import type { certificates } from '../testing/certificates.ts';
import { startDeployment } from '../testing/deployment.ts';
import type { DeploymentCheck } from './check.ts';
import { clientAddress } from './checks/client-address.ts';
import { reachable } from './checks/public-url.ts';
import { certificate, https } from './checks/tls.ts';
import { runChecks } from './run-checks.ts';

type Deployment = Awaited<ReturnType<typeof startDeployment>>;

async function findingsOf(check: DeploymentCheck, { context }: Pick<Deployment, 'context'>) {
  const found = await runChecks([check], context, context.env);
  return found.map(({ state, finding }) => `${state}: ${finding}`).join('\n');
}

describe('client addresses', () => {
  test.each<[string, NonNullable<Parameters<typeof startDeployment>[0]>, RegExp]>([
    ['replaces X-Forwarded-For', {}, /^ok: /],
    [
      'appends to X-Forwarded-For',
      { forwardedFor: (given) => [given, '198.51.100.7'].filter(Boolean).join(', ') },
      /^ok: /,
    ],
    [
      'passes on X-Forwarded-For unchanged',
      { forwardedFor: (given) => given ?? '198.51.100.7' },
      /^failure: Clients can choose the address/,
    ],
    [
      'is missing from TRUST_PROXY',
      { trustProxy: '10.0.0.1' },
      /^failure: Rate limits count no one/,
    ],
    [
      'does not pass on the client of another proxy',
      { trustProxy: '127.0.0.1,203.0.113.0/24', forwardedFor: () => '203.0.113.5' },
      /^failure: All visitors share one rate limit: the proxy 203\.0\.113\.5/,
    ],
    [
      'is behind a proxy that is missing from TRUST_PROXY',
      { forwardedFor: () => '203.0.113.5' },
      /^warning: Rate limits count this machine as 203\.0\.113\.5; it connects from 127\.0\.0\.1\./,
    ],
    [
      'is reached from its own machine',
      { forwardedFor: () => '127.0.0.1' },
      /^skipped: This machine reaches PUBLIC_URL through addresses in TRUST_PROXY/,
    ],
    [
      'answers with an error page',
      { errorPage: '<h1>Bad gateway</h1>' },
      /^skipped: PUBLIC_URL does not reach a server/,
    ],
  ])('are checked with a proxy that %s', async (_what, options, expected) => {
    await using deployment = await startDeployment(options);
    expect(await findingsOf(clientAddress, deployment)).toMatch(expected);
  });
});

describe('PUBLIC_URL', () => {
  test('is accepted if it leads to the server', async () => {
    await using deployment = await startDeployment();
    expect(await findingsOf(reachable, deployment)).toMatch(/^ok: .* reaches this server\.$/);
  });

  test('is a failure if it leads to another server', async () => {
    await using deployment = await startDeployment();
    await using other = await startDeployment();
    const { context } = deployment;
    const env = { ...context.env, publicUrl: other.context.env.publicUrl };
    expect(await findingsOf(reachable, { context: { ...context, env } })).toMatch(
      /^failure: .* leads to a different server than http:\/\/127\.0\.0\.1:/,
    );
  });

  test('is a failure if it leads to an error page of the proxy', async () => {
    await using deployment = await startDeployment({ errorPage: '{}' });
    expect(await findingsOf(reachable, deployment)).toMatch(
      /^failure: .* leads to another program, or to an error page/,
    );
  });

  test('is a failure if nothing responds', async () => {
    await using deployment = await startDeployment();
    await deployment.stopProxy();
    expect(await findingsOf(reachable, deployment)).toMatch(
      /^failure: .* does not answer \(ECONNREFUSED\)/,
    );
    expect(await findingsOf(certificate, deployment)).toMatch(
      /^failure: .* does not accept TLS connections \(ECONNREFUSED\)/,
    );
    expect(await findingsOf(https, deployment)).toMatch(/^skipped: PUBLIC_URL does not answer/);
  });
});

describe('TLS', () => {
  test.each<[keyof typeof certificates, RegExp]>([
    ['valid', /^ok: The certificate is valid for \d+ days\.$/],
    ['expired', /^failure: The certificate has expired\.$/],
    ['ofAnotherName', /^failure: The certificate does not cover the host/],
    ['selfSigned', /^failure: The certificate is self-signed/],
  ])('checks a certificate: %s', async (name, expected) => {
    await using deployment = await startDeployment({ certificate: name });
    expect(await findingsOf(certificate, deployment)).toMatch(expected);
  });

  test('warns if the certificate was not renewed in time', async () => {
    await using deployment = await startDeployment();
    const { clock } = deployment.testApp;
    clock.set(Date.parse('2094-12-01T00:00:00Z') - clock.now());
    expect(await findingsOf(certificate, deployment)).toMatch(/^ok: /);
    clock.set(Date.parse('2119-12-22T00:00:00Z') - clock.now());
    expect(await findingsOf(certificate, deployment)).toBe(
      'warning: The certificate expires in 10 days, and should have been renewed.',
    );
  });

  test('reports a missing HSTS header', async () => {
    await using deployment = await startDeployment();
    expect(await findingsOf(https, deployment)).toBe(
      'skipped: PUBLIC_URL has a port, so the redirect from http was not checked.',
    );
    await using other = await startDeployment({ errorPage: '' });
    expect(await findingsOf(https, other)).toContain('warning: The header Strict-Transport');
  });
});
