import { type ConnectionReply, connectionReply } from '@app/contract/health';
import * as v from 'valibot';
import type { Env } from '../env.ts';
import type { Network, Reply } from './network.ts';

/** The URL at which this machine reaches the server without a proxy. */
export function localUrl({ host, port }: Pick<Env, 'host' | 'port'>): string {
  const name = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

export interface Connection extends ConnectionReply {
  reply: Reply;
}

/** Null if the response is not from this program. @throws connection errors */
export async function connectionTo(
  origin: string,
  network: Network,
  signal: AbortSignal,
  headers?: Record<string, string>,
): Promise<Connection | null> {
  const reply = await network.get(`${origin}/api/health/connection`, signal, headers);
  try {
    const parsed = v.safeParse(connectionReply, JSON.parse(reply.body));
    return parsed.success ? { ...parsed.output, reply } : null;
  } catch {
    return null;
  }
}

/** Whether the host is localhost or a loopback address, which visitors cannot use. */
export const isLocal = (publicUrl: string): boolean =>
  /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(publicUrl).hostname);

/** A code such as ECONNREFUSED, or the message. */
export const codeOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
};
