import { setTimeout as pause } from 'node:timers/promises';
import type { Findings } from '../fault.ts';
import type { Deployment } from './deployment.ts';
import type { Server } from './server.ts';

/** In milliseconds. */
const maxServerPause = 1_000;
const minServicePause = 1_000;
const maxServicePause = 5_000;

type Fault = 'kills of a server' | 'kills of the primary' | 'new servers';

/** In seconds, for these counts. Shorter runs have fewer faults, but at least the minimum. */
const longRun = 300;
const faults: Record<Fault, { count: number; min: number }> = {
  'kills of a server': { count: 30, min: 2 },
  'kills of the primary': { count: 5, min: 1 },
  'new servers': { count: 3, min: 0 },
};

interface Planned {
  fault: Fault;
  /** In milliseconds. */
  at: number;
  /** From 0 to 1: how long the fault lasts, and which server it hits. */
  length: number;
  server: number;
}

/** @param random returns numbers from 0 to 1 */
export function plan(seconds: number, random: () => number): Planned[] {
  return Object.entries(faults)
    .flatMap(([fault, { count, min }]) =>
      Array.from({ length: Math.max(min, Math.round((count * seconds) / longRun)) }, () => ({
        ...{ fault: fault as Fault, at: random() * seconds * 1_000 },
        ...{ length: random(), server: random() },
      })),
    )
    .toSorted((a, b) => a.at - b.at);
}

/** Causes the planned faults. Resolves once everything that was stopped or killed works again. */
export async function causeFaults(
  planned: readonly Planned[],
  { servers, primary }: Deployment,
  findings: Findings,
): Promise<void> {
  const killPrimary = oneAfterAnother(primary);

  /** A server that is not down, but possibly starting. */
  async function serverAt(share: number): Promise<Server> {
    for (;;) {
      const up = servers.filter(({ isDown }) => !isDown);
      const server = up[Math.floor(share * up.length)];
      if (server) return server;
      await pause(50);
    }
  }

  async function cause({ fault, length, server }: Planned): Promise<void> {
    const servicePause = minServicePause + length * (maxServicePause - minServicePause);
    findings.count(fault);
    switch (fault) {
      case 'kills of the primary':
        return killPrimary(servicePause);
      case 'kills of a server':
        return (await serverAt(server)).kill(length * maxServerPause);
      case 'new servers':
        return (await serverAt(server)).replace();
    }
  }

  const began = performance.now();
  const caused: Promise<void>[] = [];
  for (const each of planned) {
    await pause(Math.max(0, began + each.at - performance.now()));
    caused.push(cause(each));
  }
  await Promise.all(caused);
}

/** Kills a service and starts it again. If it is already down, waits until it is back. */
function oneAfterAnother(service: { kill(): Promise<void>; start(): Promise<void> }) {
  let last = Promise.resolve();
  return (milliseconds: number): Promise<void> => {
    last = last.then(async () => {
      await service.kill();
      await pause(milliseconds);
      await service.start();
    });
    return last;
  };
}
