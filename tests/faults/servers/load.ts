import { findPages } from '../../support/pages.ts';
import type { Author, TrackedPost } from '../authors.ts';
import type { Findings } from '../fault.ts';
import { Visitors } from '../visitors.ts';
import { Client } from './client.ts';
import type { Deployment } from './deployment.ts';

/** In milliseconds: how long a server may lag behind what another one has acknowledged. */
export const maxLag = 60_000;

interface LoadParts {
  deployment: Deployment;
  findings: Findings;
  isOver: () => boolean;
}

/** Readers, users, visitors and authors of a company who work at the same time, through Caddy. */
export class Load {
  readonly visitors = new Visitors();
  readonly authors: Author[] = [];
  readonly deployment: Deployment;
  readonly findings: Findings;
  readonly isOver: () => boolean;
  /** Paths of pages that exist all the time. */
  readonly paths: readonly string[];
  #clients = 0;

  private constructor({ deployment, findings, isOver }: LoadParts, paths: readonly string[]) {
    this.deployment = deployment;
    this.findings = findings;
    this.isOver = isOver;
    this.paths = paths;
  }

  static async create(parts: LoadParts): Promise<Load> {
    const pages = await findPages(parts.deployment.servers[0]?.options.dataDir ?? '');
    // The sample posts disappear with the first post.
    const lasting = pages.filter(
      ({ path, status }) => status === 200 && !path.startsWith('/blog/'),
    );
    const paths = [...lasting.map(({ path }) => path), '/blog/rss.xml', '/sitemap.xml'];
    return new Load(parts, paths);
  }

  get posts(): TrackedPost[] {
    return this.authors.flatMap(({ posts }) => posts);
  }

  /** A client with its own IP address, which is rate limited and determines Caddy's choice of server. */
  client(session?: string): Client {
    this.#clients += 1;
    const bytes = [1 + (this.#clients >> 16), (this.#clients >> 8) & 255, this.#clients & 255];
    const from = `127.${bytes.join('.')}`;
    return new Client(this.deployment.caddy, { from, ...(session !== undefined && { session }) });
  }
}
