import { timed as timedBy, timeSpent } from '@app/db/time-spent';

/** What a request waits for, in addition to writes to the database. */
const phases = ['body', 'hashing', 'rendering', 'images', 'publishing'] as const;
type Phase = (typeof phases)[number];

/** In milliseconds, without overlap. */
export type RequestTime = Record<Phase | 'database', number>;

const noTime = (): RequestTime => ({
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

/** Adds the time of this work to the current request, if there is one. */
export const timed = <T>(phase: Phase, work: () => Promise<T>): Promise<T> => timedBy(phase, work);
