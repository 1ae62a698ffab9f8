import { day } from '@app/contract/durations';
import { type DeploymentCheck, type Finding, failure, ok, skipped, warning } from '../check.ts';
import { codeOf } from '../local-server.ts';
import type { Network } from '../network.ts';

const problems: Readonly<Record<string, readonly [finding: string, fix: string]>> = {
  CERT_HAS_EXPIRED: [
    'The certificate has expired.',
    'See the log of the proxy for why it was not renewed: usually port 80 is closed, or DNS points elsewhere.',
  ],
  CERT_NOT_YET_VALID: ['The certificate is not valid yet.', "Set this machine's clock, or wait."],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'The certificate does not cover the host of PUBLIC_URL.',
    'Add the host of PUBLIC_URL to the configuration of the proxy.',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'The certificate is self-signed: browsers refuse it.',
    'Configure the proxy to get one from a public authority, as Caddy does automatically once DNS points to it.',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'The intermediate certificate is missing, or the CA is not trusted.',
    'Configure the full chain (fullchain.pem) in the proxy.',
  ],
};

export const certificate: DeploymentCheck = {
  name: 'TLS',
  needs: 'settings',
  async run({ env, network, clock }, signal) {
    const { publicUrl } = env;
    if (!publicUrl.startsWith('https:')) return [skipped('PUBLIC_URL is not https.')];
    const found = await network.certificateOf(publicUrl, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return codeOf(error);
    });
    if (typeof found === 'string') {
      return [
        failure(
          `${publicUrl} does not accept TLS connections (${found}).`,
          'Start the proxy, and open its port in the firewall. See its log for the certificate.',
        ),
      ];
    }
    const { problem, validFrom, validTo } = found;
    if (problem !== null) {
      const [finding, fix] = problems[problem] ?? [
        `Browsers refuse the certificate (${problem}).`,
        'Configure the proxy to get a certificate for the host of PUBLIC_URL from a public authority.',
      ];
      return [failure(finding, fix)];
    }
    const left = validTo - clock.now();
    const days = `${Math.floor(left / day)} days`;
    // Automatic renewal happens when a third of the lifetime is left.
    return left < (validTo - validFrom) / 4
      ? [
          warning(
            `The certificate expires in ${days}, and should have been renewed.`,
            'See the log of the proxy for why it was not: usually port 80 is closed, or DNS points elsewhere.',
          ),
        ]
      : [ok(`The certificate is valid for ${days}.`)];
  },
};

export const https: DeploymentCheck = {
  name: 'https',
  needs: 'settings',
  async run({ env, network }, signal) {
    const { publicUrl } = env;
    if (!publicUrl.startsWith('https:')) return [skipped('PUBLIC_URL is not https.')];
    const findings = await Promise.all([
      hstsOf(publicUrl, network, signal),
      redirectTo(publicUrl, network, signal),
    ]);
    const wrong = findings.filter((each) => each !== null);
    return wrong.length > 0
      ? wrong
      : [ok('http is redirected to https, and browsers remember it (HSTS).')];
  },
};

async function hstsOf(
  publicUrl: string,
  network: Network,
  signal: AbortSignal,
): Promise<Finding | null> {
  const reply = await network.get(`${publicUrl}/`, signal).catch(() => null);
  if (!reply) return skipped('PUBLIC_URL does not answer: see its check.');
  if (/max-age=[1-9]/.test(reply.headers['strict-transport-security'] ?? '')) return null;
  return warning(
    'The header Strict-Transport-Security (HSTS) is missing.',
    'Configure the proxy to pass on the headers of the server, which sends it if PUBLIC_URL is https.',
  );
}

async function redirectTo(
  publicUrl: string,
  network: Network,
  signal: AbortSignal,
): Promise<Finding | null> {
  const { host, port } = new URL(publicUrl);
  // With a custom https port, the port for http is unknown.
  if (port !== '')
    return skipped('PUBLIC_URL has a port, so the redirect from http was not checked.');
  const reply = await network.get(`http://${host}/`, signal).catch(() => null);
  const location = reply?.headers.location ?? '';
  if (reply && [301, 308].includes(reply.status) && location.startsWith(`${publicUrl}/`))
    return null;
  return warning(
    reply
      ? `http://${host} does not redirect permanently to ${publicUrl}.`
      : `http://${host} does not answer: visitors who type the URL without https may not reach the site.`,
    'Open port 80, and configure the proxy to redirect it, as Caddy does automatically.',
  );
}
