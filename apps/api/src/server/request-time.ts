import { type TimeSpent, timeSpent } from '@app/db/time-spent';

/** What a request waits for, besides the database. */
const phases = ['body', 'hashing', 'rendering', 'images', 'publishing'] as const;
type Phase = (typeof phases)[number];

/** In milliseconds; those of the database and of the phases do not overlap. */
export type RequestTime = Record<Phase | 'database', number>;

const noTime = (): RequestTime & TimeSpent => ({
  database: 0,
  body: 0,
  hashing: 0,
  rendering: 0,
  images: 0,
  publishing: 0,
});

/** Answers a request and measures what it waits for. */
export async function measureRequest(answer: () => Promise<void>): Promise<RequestTime> {
  const spent = noTime();
  await timeSpent.run(spent, answer);
  return spent;
}

/** Adds the time of this work to that of the request, if there is one. */
export async function timed<T>(phase: Phase, work: () => Promise<T>): Promise<T> {
  const spent = timeSpent.getStore();
  if (spent === undefined) return work();
  const began = performance.now();
  try {
    return await timeSpent.run(undefined, work);
  } finally {
    spent[phase] = (spent[phase] ?? 0) + performance.now() - began;
  }
}
