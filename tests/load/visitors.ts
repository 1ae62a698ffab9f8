import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';

/**
 * Visitors arrive at random moments, whether or not earlier ones have been answered. Each sends one
 * message on a new connection and waits. wrk cannot measure this: its connections send as fast as
 * they are answered, so each waits for all the others.
 * @returns how long each waited, in milliseconds, from the intended arrival
 */
export async function arriveOneByOne(
  url: string,
  perSecond: number,
  seconds: number,
): Promise<number[]> {
  const waits: Promise<number>[] = [];
  let arrival = performance.now();
  const end = arrival + seconds * 1_000;
  while (true) {
    // Poisson process.
    arrival += (-Math.log(1 - Math.random()) * 1_000) / perSecond;
    if (arrival > end) return Promise.all(waits);
    await setTimeout(Math.max(0, arrival - performance.now()));
    const since = arrival;
    waits.push(sendMessage(url, waits.length).then(() => performance.now() - since));
  }
}

async function sendMessage(url: string, n: number): Promise<void> {
  const sending = request(`${url}/api/contact`, {
    method: 'POST',
    agent: false,
    headers: {
      'Content-Type': 'application/json',
      Origin: url,
      'X-Forwarded-For': `172.16.${n >> 8}.${n & 255}`,
    },
  });
  sending.end(
    JSON.stringify({
      name: `Visitor ${n}`,
      email: `arrival-${n}@example.com`,
      message: `The heating of house ${n} knocks since this morning, the tap in the cellar drips, and nobody is at home before noon. When can somebody come?`,
      service: 'betty',
    }),
  );
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  if (response.statusCode !== 201)
    throw new Error(`a visitor was answered with ${response.statusCode}`);
  await once(response.resume(), 'end');
}
