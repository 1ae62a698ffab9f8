import { setTimeout as pause } from 'node:timers/promises';
import type { PostState, TrackedPost } from '../authors.ts';
import { type Client, type Request, replyTo } from './client.ts';
import { type Load, maxLag } from './load.ts';

/** Between two requests, in milliseconds. */
const pagePause = 40;
const apiPause = 100;

interface PublishedPost {
  post: TrackedPost;
  state: PostState;
}

/** Readers must not get errors, whatever is killed. */
export class Readers {
  readonly #load: Load;

  constructor(load: Load) {
    this.#load = load;
  }

  async readPages(first: number): Promise<void> {
    using client = this.#load.client();
    for (let n = first; !this.#load.isOver(); n += 1) {
      const path = this.#load.paths[n % this.#load.paths.length] ?? '/';
      await this.#readOnce('page reads', path, () => client.get(path));
      const post = this.#publishedPost();
      if (post) await this.#readPost(client, post);
      await pause(pagePause);
    }
  }

  async readApi(session: string): Promise<void> {
    using client = this.#load.client(session);
    for (let n = 0; !this.#load.isOver(); n += 1) {
      const path = n % 2 === 0 ? '/api/profile' : '/api/posts';
      await this.#readOnce('API reads', path, () => client.get(path));
      await pause(apiPause);
    }
  }

  async #readOnce(what: string, path: string, request: Request): Promise<void> {
    const began = performance.now();
    const response = await replyTo(request);
    this.#load.findings.count(what);
    this.#slowest(`ms of the slowest of ${what}`, performance.now() - began);
    if (!response) this.#load.findings.count('reads cut off');
    else if (!response.ok) {
      this.#load.findings.breaks(`a read of ${path} was answered with ${response.status}`);
    }
  }

  #slowest(name: string, milliseconds: number): void {
    this.#load.findings.set(
      name,
      Math.max(this.#load.findings.counts[name] ?? 0, Math.round(milliseconds)),
    );
  }

  #publishedPost(): PublishedPost | null {
    const published = this.#load.posts.filter(
      ({ acknowledged, attempted }) => attempted === null && acknowledged?.state === 'published',
    );
    const post = published[Math.floor(Math.random() * published.length)];
    return post?.acknowledged ? { post, state: post.acknowledged } : null;
  }

  /** Waits for the post, because servers other than the author's can get it a little later. */
  async #readPost(client: Client, { post, state }: PublishedPost): Promise<void> {
    const path = `/blog/${state.slug}`;
    const isUnchanged = () => post.acknowledged === state && post.attempted === null;
    const end = performance.now() + maxLag;
    for (let isLate = false; ; isLate = true) {
      const response = await replyTo(() => client.get(path));
      this.#load.findings.count('reads of written posts');
      if (response?.ok || !isUnchanged()) return;
      if (!response) {
        this.#load.findings.count('reads cut off');
        return;
      }
      if (response.status >= 500) {
        this.#load.findings.breaks(`a read of a post was answered with ${response.status}`);
        return;
      }
      if (!isLate) this.#load.findings.count('posts read before the server had them');
      if (performance.now() > end) {
        this.#load.findings.breaks(`${path} was ${response.status} for ${maxLag} ms`);
        return;
      }
      await pause(100);
    }
  }
}
