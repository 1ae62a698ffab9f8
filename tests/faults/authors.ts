import { randomInt } from 'node:crypto';
import type { Post, PostSaved } from '@app/contract/blog/posts';
import type { Writer } from '../support/writer.ts';

export interface PostState {
  slug: string;
  /** Appears at the beginning and the end of the text. */
  edition: number;
  state: 'published' | 'draft' | 'deleted';
}

export interface TrackedPost {
  key: string;
  /** Null until its creation is acknowledged. */
  id: string | null;
  acknowledged: PostState | null;
  /** The state after an unanswered request, which may or may not have been stored. */
  attempted: PostState | null;
  /** Whether the reply said that readers see the acknowledged state. */
  isLive: boolean;
}

const maxPosts = 6;

const mark = (where: 'begins' | 'ends', key: string, edition: number): string =>
  `${key} edition ${edition} ${where}.`;

const textOf = (key: string, edition: number): string =>
  [
    mark('begins', key, edition),
    ...Array.from({ length: 1 + randomInt(30) }, () => 'A paragraph of some length. '.repeat(20)),
    mark('ends', key, edition),
  ].join('\n\n');

/** The posts and editions in a page or a text, including incomplete ones. */
export function editionsIn(text: string): { key: string; edition: number; isWhole: boolean }[] {
  const found = new Map<string, { key: string; edition: number; ends: Set<string> }>();
  for (const [, key = '', edition = '', end = ''] of text.matchAll(
    /(post-[a-z]+-\d+) edition (\d+) (begins|ends)\./g,
  )) {
    const id = `${key} ${edition}`;
    const known = found.get(id) ?? { key, edition: Number(edition), ends: new Set() };
    known.ends.add(end);
    found.set(id, known);
  }
  return [...found.values()].map(({ key, edition, ends }) => ({
    key,
    edition,
    isWhole: ends.size === 2,
  }));
}

/** Publishes, edits, renames, unpublishes and deletes posts, one request after another. */
export class Author {
  readonly posts: TrackedPost[] = [];
  readonly #name: string;
  #created = 0;
  #editions = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /**
   * Sends requests until `isGone`.
   * @param notice called after each acknowledged request
   */
  async write(writer: Writer, isGone: () => boolean, notice: () => void): Promise<void> {
    for (;;) {
      try {
        await this.act(writer);
      } catch (error) {
        // fetch throws a TypeError when the connection breaks.
        if (error instanceof TypeError && isGone()) return;
        throw error;
      }
      notice();
    }
  }

  /**
   * Sends one request, about a post that has no unanswered one.
   * @throws if the request fails or is refused
   */
  async act(writer: Pick<Writer, 'call'>): Promise<void> {
    const present = this.posts.filter(
      ({ acknowledged, attempted }) => acknowledged?.state !== 'deleted' && attempted === null,
    );
    const post = present[randomInt(Math.max(present.length, 1))];
    const dice = randomInt(100);
    if (!post?.acknowledged || (dice < 20 && present.length < maxPosts)) {
      return this.#create(writer);
    }
    const { acknowledged: now, id } = post;
    const path = `/api/posts/${id}`;
    if (dice < 55) {
      const edition = this.#nextEdition();
      const content = textOf(post.key, edition);
      return this.#send(post, { ...now, edition }, writer.call('PATCH', path, { content }));
    }
    if (dice < 72) {
      // Few, because the number of old slugs is limited. A post can take back its own.
      const slug = `${post.key}-${randomInt(10)}`;
      return this.#send(post, { ...now, slug }, writer.call('PATCH', path, { slug }));
    }
    if (dice < 90) {
      const published = now.state === 'draft';
      const state = published ? 'published' : 'draft';
      return this.#send(post, { ...now, state }, writer.call('PATCH', path, { published }));
    }
    return this.#send(post, { ...now, state: 'deleted' }, writer.call('DELETE', path, {}));
  }

  #create(writer: Pick<Writer, 'call'>): Promise<void> {
    const [key, edition] = [`post-${this.#name}-${this.#created}`, this.#nextEdition()];
    this.#created += 1;
    const post: TrackedPost = {
      key,
      id: null,
      acknowledged: null,
      attempted: null,
      isLive: false,
    };
    this.posts.push(post);
    const content = textOf(key, edition);
    // An excerpt from the text would not change with it. Different titles would need different cards.
    const title = `Posts of ${this.#name}`;
    const body = { title, slug: key, excerpt: key, content, published: true };
    const state = { slug: key, edition, state: 'published' } as const;
    return this.#send(post, state, writer.call('POST', '/api/posts', body));
  }

  async #send(post: TrackedPost, state: PostState, sent: Promise<Response>): Promise<void> {
    post.attempted = state;
    const response = await sent;
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} for ${post.key}: ${text}`);
    const { publishing, post: saved } = JSON.parse(text) as Partial<PostSaved> & { post?: Post };
    post.id ??= saved?.id ?? null;
    const { acknowledged: before } = post;
    post.acknowledged = state;
    post.attempted = null;
    // For drafts, the reply that unpublished them says whether the page is gone.
    const wasDraft = before?.state === 'draft' && state.state === 'draft';
    if (!wasDraft) post.isLive = publishing?.state !== 'pending';
  }

  #nextEdition(): number {
    this.#editions += 1;
    return this.#editions;
  }
}
