import { type DeploymentCheck, type Finding, ok, warning } from '../check.ts';
import { isLocal } from '../local-server.ts';

/** Warns of valid settings that are wrong for a public site. */
export const settings: DeploymentCheck = {
  name: 'settings',
  needs: 'settings',
  async run({ env }) {
    const { publicUrl, trustProxy, devPages, host } = env;
    const isHttps = publicUrl.startsWith('https:');
    const found: Finding[] = [];
    if (!isHttps) {
      found.push(
        isLocal(publicUrl)
          ? warning(
              'PUBLIC_URL is localhost: links in emails and pages work on this machine only.',
              'Set PUBLIC_URL to the https:// URL that visitors use.',
            )
          : warning(
              'PUBLIC_URL is http: passwords and sessions travel unencrypted.',
              'Put a proxy with TLS in front of the server, and set PUBLIC_URL to its https:// URL.',
            ),
      );
    }
    // The server itself does not support TLS.
    if (isHttps && trustProxy.length === 0) {
      found.push(
        warning(
          'PUBLIC_URL is https, so a proxy is in front of the server, but TRUST_PROXY is none: rate limits count the proxy instead of its clients.',
          "Set TRUST_PROXY to the proxy's address, 127.0.0.1 if it is on this machine.",
        ),
      );
    }
    if (isHttps && ['0.0.0.0', '::'].includes(host)) {
      found.push(
        warning(
          `HOST is ${host}: the server is also reachable without the proxy and its TLS.`,
          'Set HOST to 127.0.0.1 if the proxy is on this machine, or close the port in the firewall.',
        ),
      );
    }
    if (devPages && !isLocal(publicUrl)) {
      found.push(
        warning(
          'DEV_PAGES is on: page data and email previews are public, and links in emails can be read in the database.',
          'Remove DEV_PAGES, and restart the server.',
        ),
      );
    }
    if (env.email.transport === 'resend' && env.resendWebhookSecret === undefined) {
      found.push(
        warning(
          'RESEND_WEBHOOK_SECRET is not set: bounces and complaints go unnoticed, and such addresses keep getting emails.',
          'Add a webhook to PUBLIC_URL/api/mail/resend-events at Resend, and set its signing secret.',
        ),
      );
    }
    return found.length > 0 ? found : [ok('The settings are valid.')];
  },
};
