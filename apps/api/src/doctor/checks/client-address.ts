import { countedAs, isInNetworks } from '../../server/client-address.ts';
import {
  type DeploymentCheck,
  type DeploymentContext,
  type Finding,
  failure,
  ok,
  skipped,
  warning,
} from '../check.ts';
import { connectionTo, isLocal } from '../local-server.ts';

/** Reserved for documentation (RFC 5737), so no client has it. */
const forged = '192.0.2.123';

/**
 * Rate limits depend on the client addresses that proxies pass on. Asks the server through PUBLIC_URL
 * which address it counts, without and with a forged X-Forwarded-For.
 */
export const clientAddress: DeploymentCheck = {
  name: 'client addresses',
  needs: 'settings',
  async run(context, signal) {
    const { env, network } = context;
    const { publicUrl } = env;
    if (isLocal(publicUrl)) return [skipped('PUBLIC_URL is localhost.')];
    const ask = (headers?: Record<string, string>) =>
      connectionTo(publicUrl, network, signal, headers).catch(() => null);
    const [plain, faked] = [await ask(), await ask({ 'X-Forwarded-For': forged })];
    if (!plain || !faked) return [skipped('PUBLIC_URL does not reach a server: see its check.')];
    if (faked.client === forged) {
      return [
        failure(
          'Clients can choose the address that rate limits count: the proxy passes on their X-Forwarded-For unchanged.',
          "Configure the proxy to replace the header or append its client's address, and list only proxies in TRUST_PROXY.",
        ),
      ];
    }
    return [await judge(plain.client, plain.reply.localAddress, context)];
  },
};

async function judge(
  client: string | null,
  own: string,
  { env, network }: DeploymentContext,
): Promise<Finding> {
  if (client === null) {
    return failure(
      'Rate limits count no one: a proxy on this machine is missing from TRUST_PROXY.',
      'Set TRUST_PROXY=127.0.0.1 (and ::1 if the proxy connects to it), and restart the server.',
    );
  }
  if (isInNetworks(client, env.trustProxy)) {
    return client === countedAs(own)
      ? skipped('This machine reaches PUBLIC_URL through addresses in TRUST_PROXY, like a proxy.')
      : failure(
          `All visitors share one rate limit: the proxy ${client} does not pass on the addresses of its clients.`,
          'Configure the proxy to set X-Forwarded-For to the address of its client.',
        );
  }
  const { hostname } = new URL(env.publicUrl);
  const names = await Promise.all([
    network.resolve(hostname, 'A').catch(() => []),
    network.resolve(hostname, 'AAAA').catch(() => []),
  ]);
  const isOurs = [own, ...names.flat()].some((address) => countedAs(address) === client);
  if (isOurs) return ok('Rate limits count the address of the client, which it cannot forge.');
  return warning(
    `Rate limits count this machine as ${client}; it connects from ${own}. That is correct if it is the address of a router, but wrong if it is that of a proxy or CDN, because all visitors would share one limit.`,
    'If a proxy or CDN has this address, add its networks to TRUST_PROXY, and restart the server.',
  );
}
