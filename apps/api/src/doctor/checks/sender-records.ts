import { type DeploymentCheck, type Finding, ok, skipped, warning } from '../check.ts';
import type { Network } from '../network.ts';

/** DNS records by which receivers verify that an email comes from the domain. */
export const senderRecords: DeploymentCheck = {
  name: 'SPF, DKIM, DMARC',
  needs: 'settings',
  async run({ env, network }) {
    const { email } = env;
    if (email.transport === 'files') return [skipped('No email provider is set.')];
    const domain = domainOf(email.from);
    const isResend = email.transport === 'resend';
    return Promise.all([
      // The domain of Resend's envelope sender.
      spfOf(isResend ? `send.${domain}` : domain, network),
      isResend ? dkimOf(`resend._domainkey.${domain}`, network) : unknownDkim(domain),
      dmarcOf(domain, network),
    ]);
  },
};

const domainOf = (from: string): string => from.replace(/^.*@/, '').replace('>', '').toLowerCase();

/** RFC 7208 §3. */
async function spfOf(domain: string, network: Network): Promise<Finding> {
  const records = (await network.resolve(domain, 'TXT')).filter((text) =>
    /^v=spf1(?: |$)/i.test(text),
  );
  const [record] = records;
  if (record === undefined) {
    return warning(
      `${domain} has no SPF record.`,
      'Add the TXT record that the email provider specifies, which begins with v=spf1.',
    );
  }
  if (records.length > 1) {
    return warning(
      `${domain} has ${records.length} SPF records, so receivers use none.`,
      'Merge them into one TXT record, with the include: of each provider.',
    );
  }
  if (/\+all\b/i.test(record)) {
    return warning(
      `The SPF record of ${domain} lets anyone send (+all).`,
      'End it with ~all or -all.',
    );
  }
  return ok(`${domain} has an SPF record; whether it names the provider was not checked.`);
}

/** RFC 6376 §3.6.1. */
async function dkimOf(name: string, network: Network): Promise<Finding> {
  const records = await network.resolve(name, 'TXT');
  return records.some((text) => /(?:^|;)\s*p=[\w+/]/.test(text))
    ? ok(`${name} has a DKIM key.`)
    : warning(
        `${name} has no DKIM key.`,
        'Add the TXT record that Resend shows for the domain. If Resend shows another name, its region or selector differs, and this can be ignored once Resend calls the domain verified.',
      );
}

function unknownDkim(domain: string): Finding {
  return skipped(
    `The provider chooses the name of the DKIM key of ${domain}: check that the headers of a test email say dkim=pass.`,
  );
}

/** RFC 7489 §6.6.3: the record of the domain, or of a parent domain. */
async function dmarcOf(domain: string, network: Network): Promise<Finding> {
  const labels = domain.split('.');
  const parents = labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'));
  for (const parent of parents) {
    const found = await network.resolve(`_dmarc.${parent}`, 'TXT');
    const record = found.find((text) => /^v=DMARC1\s*;/i.test(text));
    if (record === undefined) continue;
    return /;\s*p=none\b/i.test(record)
      ? ok(`_dmarc.${parent} has a DMARC record, which only asks for reports (p=none).`)
      : ok(`_dmarc.${parent} has a DMARC record.`);
  }
  return warning(
    `${domain} has no DMARC record: large providers refuse or hide emails without one.`,
    `Add a TXT record for _dmarc.${domain}: v=DMARC1; p=none; rua=mailto:you@${domain}`,
  );
}
