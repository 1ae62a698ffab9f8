import { isIP } from 'node:net';
import { type DeploymentCheck, type DeploymentContext, failure, ok, skipped } from '../check.ts';
import { codeOf, connectionTo, isLocal, localUrl } from '../local-server.ts';

export const dns: DeploymentCheck = {
  name: 'DNS',
  needs: 'settings',
  async run({ env, network }) {
    const { hostname } = new URL(env.publicUrl);
    if (isLocal(env.publicUrl)) return [skipped('PUBLIC_URL is localhost.')];
    if (isIP(hostname.replace(/[[\]]/g, '')) > 0) return [skipped('PUBLIC_URL is an IP address.')];
    const [v4, v6] = await Promise.all([
      network.resolve(hostname, 'A'),
      network.resolve(hostname, 'AAAA'),
    ]);
    if (v4.length + v6.length === 0) {
      return [
        failure(
          `${hostname} has no A or AAAA record.`,
          "Add an A record with this machine's IPv4 address, or a CNAME, at the domain's DNS provider, and wait until it has propagated.",
        ),
      ];
    }
    return [ok(`${hostname} is ${[...v4, ...v6].join(', ')}.`)];
  },
};

/** Checks that PUBLIC_URL leads to the server process on this machine. */
export const reachable: DeploymentCheck = {
  name: 'PUBLIC_URL',
  needs: 'settings',
  async run({ env, network }, signal) {
    const { publicUrl } = env;
    if (isLocal(publicUrl)) return [skipped('PUBLIC_URL is localhost.')];
    const [here, there] = await Promise.all([
      connectionTo(localUrl(env), network, signal).catch(() => null),
      answerOf({ env, network }, signal),
    ]);
    if (typeof there === 'string') {
      return [
        failure(
          `${publicUrl} does not answer (${there}).`,
          'Start the proxy, and open its ports in the firewall. For certificate problems, see the TLS check.',
        ),
      ];
    }
    if (there === null) {
      return [
        failure(
          `${publicUrl} leads to another program, or to an error page of the proxy.`,
          `Point DNS to this machine, and configure the proxy to forward all paths to ${localUrl(env)}.`,
        ),
      ];
    }
    if (here === null) {
      return [skipped(`${publicUrl} leads to a server, but none runs here to compare it with.`)];
    }
    if (here.server !== there.server) {
      return [
        failure(
          `${publicUrl} leads to a different server than ${localUrl(env)}.`,
          'Point DNS and the proxy to this server, and stop the other one.',
        ),
      ];
    }
    return [ok(`${publicUrl} reaches this server.`)];
  },
};

async function answerOf(
  { env, network }: Pick<DeploymentContext, 'env' | 'network'>,
  signal: AbortSignal,
) {
  try {
    return await connectionTo(env.publicUrl, network, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return codeOf(error);
  }
}
