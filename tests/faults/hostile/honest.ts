import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Accounts, password } from './accounts.ts';
import { Client } from './client.ts';

export interface HonestUsersResult {
  counts: Record<string, number>;
  acknowledged: string[];
  violations: string[];
  /** How long each save of a post took, in milliseconds. */
  saves: number[];
}

export async function simulateHonestUsers(
  url: string,
  { author, owner }: Accounts,
  isOver: () => boolean,
): Promise<HonestUsersResult> {
  const client = new Client(url);
  const counts: Record<string, number> = {};
  const violations: string[] = [];
  const acknowledged: string[] = [];
  const saves: number[] = [];
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const expectStatus = (what: string, status: number, expected: number, text: string): boolean => {
    if (status === expected) return true;
    violations.push(`${what} was answered with ${status}, not ${expected}: ${text.slice(0, 200)}`);
    return false;
  };

  async function write(n: number): Promise<void> {
    const { session } = author;
    // A deleted post keeps its slug.
    const body = {
      title: `Honest post ${n} ${randomUUID()}`,
      content: 'A **short** text.',
      published: true,
    };
    const start = performance.now();
    const saved = await client.call('POST', '/api/posts', { session, body });
    saves.push(performance.now() - start);
    if (!expectStatus('publishing a post', saved.status, 201, saved.text)) return;
    const { post, publishing } = JSON.parse(saved.text) as {
      post: { id: string; slug: string };
      publishing: { state: string };
    };
    if (publishing.state !== 'live') violations.push(`a saved post was ${publishing.state}`);
    const path = `/blog/${post.slug}`;
    const page = await client.call('GET', path);
    expectStatus('a published page', page.status, 200, page.text);
    const removed = await client.call('DELETE', `/api/posts/${post.id}`, { session });
    expectStatus('deleting a post', removed.status, 200, removed.text);
    const gone = await client.call('GET', path);
    expectStatus('the page of a deleted post', gone.status, 404, gone.text);
    count('posts published and deleted');
  }

  async function sendMessage(n: number): Promise<void> {
    const name = `Visitor ${n}`;
    const { status, text } = await client.call('POST', '/api/contact', {
      headers: { 'Idempotency-Key': randomUUID() },
      body: {
        name,
        email: `visitor-${n}@example.net`,
        message: `The boiler of visitor ${n} is out.`,
      },
    });
    if (!expectStatus('a message', status, 201, text)) return;
    acknowledged.push(name);
    count('messages');
  }

  async function signIn(n: number): Promise<void> {
    const body = { email: owner.email, password };
    // In a range (RFC 2544) that attackers do not use: their IP addresses get rate limited.
    const from = `198.18.0.${n % 250}`;
    const { status, text } = await client.call('POST', '/api/auth/sign-in', { body, from });
    if (expectStatus('signing in', status, 200, text)) count('sign-ins');
  }

  const live = async (round: (n: number) => Promise<void>, pause: number): Promise<void> => {
    for (let n = 0; !isOver(); n += 1) {
      await round(n);
      await setTimeout(pause);
    }
  };
  await Promise.all([live(write, 1_000), live(sendMessage, 1_500), live(signIn, 5_000)]);
  client.close();
  return { counts, acknowledged, violations, saves };
}
