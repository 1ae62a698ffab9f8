import type { HttpBindings } from '@hono/node-server';
import ipaddr from 'ipaddr.js';
import type { AppContext } from './context.ts';
import type { Deps } from './deps.ts';

type Address = ReturnType<typeof ipaddr.process>;

const peerAddress = (c: AppContext): Address | null =>
  parseAddress((c.env as HttpBindings | undefined)?.incoming?.socket.remoteAddress ?? '');

/**
 * The key of rate limits: the client's IPv4 address, or the /64 network of its IPv6 address (RFC
 * 6177).
 *
 * X-Forwarded-For is read from the right while the addresses are in TRUST_PROXY; the rest may be
 * forged. If a trusted proxy does not name its client, the proxy is counted. Null for localhost
 * unless it is a trusted proxy: otherwise, a local proxy missing from TRUST_PROXY would make all
 * clients share one limit.
 */
export function clientAddress(
  c: AppContext,
  { settings }: { settings: Pick<Deps['settings'], 'trustProxy'> },
): string | null {
  const trusted = parseNetworks(settings.trustProxy);
  const peer = peerAddress(c);
  if (peer === null) return null;
  if (!isIn(peer, trusted)) return peer.range() === 'loopback' ? null : limitKey(peer);

  let client = peer;
  for (const hop of c.req.header('X-Forwarded-For')?.split(',').reverse() ?? []) {
    const address = parseAddress(hop);
    if (address === null) break;
    client = address;
    if (!isIn(address, trusted)) break;
  }
  return limitKey(client);
}

const forwardingHeaders = ['X-Forwarded-For', 'Forwarded', 'Via'] as const;

/**
 * Whether the request comes straight from a program on this machine. A local proxy makes every
 * connection local, so requests with a proxy's headers or for another host name do not count.
 */
export function isDirectLocalRequest(c: AppContext): boolean {
  if (peerAddress(c)?.range() !== 'loopback') return false;
  if (forwardingHeaders.some((name) => c.req.header(name) !== undefined)) return false;
  const { hostname } = new URL(c.req.url);
  return hostname === 'localhost' || parseAddress(hostname)?.range() === 'loopback';
}

/** Whether an address or a rate-limit key is in one of the networks. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const parsedAddress = parseAddress(address.replace(/\/64$/, ''));
  return parsedAddress !== null && isIn(parsedAddress, parseNetworks(networks));
}

/** The rate-limit key of an address; null if the text is not an address. */
export function countedAs(address: string): string | null {
  const parsedAddress = parseAddress(address);
  return parsedAddress && limitKey(parsedAddress);
}

type Network = [base: Address, bits: number];

const isIn = (address: Address, networks: readonly Network[]): boolean =>
  networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));

const parsed = new WeakMap<readonly string[], Network[]>();

function parseNetworks(networks: readonly string[]): Network[] {
  const known = parsed.get(networks) ?? networks.map(parseNetwork);
  parsed.set(networks, known);
  return known;
}

function parseNetwork(network: string): Network {
  if (network.includes('/')) return ipaddr.parseCIDR(network);
  const address = ipaddr.process(network);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Some proxies append the port: 192.0.2.1:4711, [2001:db8::1]:4711. */
function parseAddress(hop: string): Address | null {
  const text = hop.trim().replace(/^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2');
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  // Also maps ::ffff:192.0.2.1 to IPv4.
  return isAddress ? ipaddr.process(text) : null;
}

function limitKey(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const network = address.toByteArray().fill(0, 8);
  return `${ipaddr.fromByteArray(network)}/64`;
}
