import { Resolver } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import tls from 'node:tls';

export interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** At most the first 64 kB. */
  body: string;
  /** The address of this end of the connection. */
  localAddress: string;
}

interface Certificate {
  /** Why browsers refuse it, such as CERT_HAS_EXPIRED; null if they accept it. */
  problem: string | null;
  /** Milliseconds since 1970. */
  validFrom: number;
  validTo: number;
}

export interface Network {
  /** Does not follow redirects. @throws connection and certificate errors */
  get(url: string, signal: AbortSignal, headers?: Record<string, string>): Promise<Reply>;
  /** @throws connection errors, but no certificate errors */
  certificateOf(url: string, signal: AbortSignal): Promise<Certificate>;
  /** Joins the parts of TXT records. Empty if there are none. @throws if no DNS server responds */
  resolve(name: string, type: 'A' | 'AAAA' | 'TXT'): Promise<string[]>;
}

interface NetworkOptions {
  /** A CA in addition to those of the system, for tests. */
  ca?: string;
  /** The system's by default. */
  lookup?: LookupFunction;
}

const maxBytes = 65_536;

export function createNetwork(options: NetworkOptions = {}): Network {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });

  return {
    get: (url, signal, headers = {}) =>
      new Promise((resolve, reject) => {
        const { request } = url.startsWith('https:') ? https : http;
        const sent = request(url, { ...options, agent: false, headers, signal }, (response) => {
          const chunks: Buffer[] = [];
          let bytes = 0;
          const localAddress = response.socket.localAddress ?? '';
          const end = () =>
            resolve({
              ...{ status: response.statusCode ?? 0, headers: response.headers, localAddress },
              body: Buffer.concat(chunks).toString(),
            });
          response.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            bytes += chunk.length;
            if (bytes < maxBytes) return;
            end();
            response.destroy();
          });
          response.on('end', end);
          response.on('error', reject);
        });
        sent.on('error', reject);
        sent.end();
      }),

    certificateOf: (url, signal) =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(url);
        const host = hostname.replace(/^\[(.*)\]$/, '$1');
        const socket = tls.connect({
          ...{ ...options, host, port: Number(port || 443) },
          servername: host,
          // The check itself reports what is wrong with the certificate.
          rejectUnauthorized: false,
        });
        const abort = () => socket.destroy(signal.reason as Error);
        signal.addEventListener('abort', abort);
        socket.once('secureConnect', () => {
          const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
          const problem = socket.authorizationError as Error | string | null | undefined;
          resolve({
            problem: problem ? problemOf(problem) : null,
            validFrom: Date.parse(from),
            validTo: Date.parse(to),
          });
          socket.destroy();
        });
        socket.once('error', reject);
        socket.once('close', () => signal.removeEventListener('abort', abort));
      }),

    async resolve(name, type) {
      try {
        if (type === 'A') return await resolver.resolve4(name);
        if (type === 'AAAA') return await resolver.resolve6(name);
        return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENODATA' || code === 'ENOTFOUND') return [];
        throw error;
      }
    },
  };
}

const problemOf = (error: Error | string): string =>
  typeof error === 'string' ? error : ((error as NodeJS.ErrnoException).code ?? error.message);
