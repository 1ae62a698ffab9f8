import { authors } from './deployment.ts';
import type { Load } from './load.ts';
import { Readers } from './readers.ts';
import { Writers } from './writers.ts';

const readersAtOnce = 6;
const apiReadersAtOnce = 2;
const visitorsAtOnce = 3;

export async function runLoad(load: Load): Promise<void> {
  const { sessions } = load.deployment.accounts;
  const [readers, writers] = [new Readers(load), new Writers(load)];
  const many = (count: number, work: (n: number) => Promise<void>) =>
    Array.from({ length: count }, (_, n) => work(n));
  await Promise.all([
    ...many(readersAtOnce, (n) => readers.readPages(n)),
    ...many(apiReadersAtOnce, () => readers.readApi(sessions[0] ?? '')),
    ...many(visitorsAtOnce, () => writers.visit()),
    writers.signIn(),
    ...authors.map((name, n) => writers.write(sessions[n] ?? '', name)),
  ]);
}
