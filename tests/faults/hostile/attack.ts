import { randomBytes } from 'node:crypto';
import type { Account, Accounts } from './accounts.ts';
import type { Client, Reply, RequestOptions } from './client.ts';
import type { Contents } from './contents.ts';

export interface World {
  client: Client;
  accounts: Accounts;
  contents: Contents;
  /** Counts a response under the attack's name and returns it. */
  note(answer: Reply): Reply;
  report(violation: string): void;
  isOver(): boolean;
}

export interface Attack {
  name: string;
  /** Pause between two rounds, in milliseconds. */
  pause: number;
  workers?: number;
  round(world: World, n: number): Promise<void>;
}

export const pick = <T>(items: readonly T[], n: number): T => {
  const item = items[n % items.length];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
};
export const unique = (): string => randomBytes(8).toString('hex');
export const attacker = ({ accounts }: World, n: number): Account => pick(accounts.attackers, n);

export const send = async (
  { client, note }: World,
  method: string,
  path: string,
  call?: RequestOptions,
): Promise<Reply> => note(await client.call(method, path, call));

export const post = (title: string, content: string, published = true) => ({
  title,
  content,
  published,
});

interface SavedPost {
  post?: { id: string; slug: string };
  publishing?: { state: string };
}
export const savedPost = ({ text, status }: Reply): SavedPost =>
  status === 200 || status === 201 ? (JSON.parse(text) as SavedPost) : {};
