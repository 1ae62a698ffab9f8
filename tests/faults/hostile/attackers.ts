// The attackers' process. It has a low priority, because it shares the cores with the server.
import { setPriority } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { Accounts } from './accounts.ts';
import type { World } from './attack.ts';
import { attacks } from './attacks.ts';
import { Client } from './client.ts';
import type { Contents } from './contents.ts';
import type { StatusCounts } from './report.ts';

export interface AttackTask {
  url: string;
  accounts: Accounts;
  contents: Contents;
  seconds: number;
}

export interface AttackResult {
  attacks: StatusCounts;
  violations: string[];
}

setPriority(10);

async function attack({ url, accounts, contents, seconds }: AttackTask): Promise<AttackResult> {
  const client = new Client(url);
  const end = performance.now() + seconds * 1_000;
  const counts: StatusCounts = {};
  const violations = new Set<string>();

  const workers = attacks.flatMap(({ name, pause, workers: count = 1, round }) => {
    const statuses: Record<string, number> = {};
    counts[name] = statuses;
    const world: World = {
      client,
      accounts,
      contents,
      note(answer) {
        const { status } = answer;
        const key = status === 0 ? 'closed' : String(status);
        statuses[key] = (statuses[key] ?? 0) + 1;
        if (status >= 500 && status !== 501 && status !== 503) {
          violations.add(`${name}: answered with ${status}: ${answer.text.slice(0, 200)}`);
        }
        return answer;
      },
      isOver: () => performance.now() >= end,
      report: (violation) => violations.add(`${name}: ${violation}`),
    };
    return Array.from({ length: count }, async (_, worker) => {
      for (let n = worker; performance.now() < end; n += count) {
        await round(world, n);
        await setTimeout(pause);
      }
    });
  });
  await Promise.all(workers);
  client.close();
  return { attacks: counts, violations: [...violations] };
}

process.once('message', async (task: AttackTask) => {
  const result = await attack(task);
  process.send?.(result, () => process.disconnect());
});
