import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withDescendants } from './process-memory.ts';

const root = '/sys/fs/cgroup';
/** In microseconds. Short, so that each request waits a little, instead of some waiting long. */
const period = 10_000;

/** Pins a process and all its current and future descendants to these cores (taskset(1)). */
export function pinTo(cores: string, pid: number): void {
  for (const each of withDescendants(pid)) {
    execFileSync('taskset', ['-a', '-c', '-p', cores, String(each)], { stdio: 'ignore' });
  }
}

/**
 * Limits a process and all its current and future descendants to a share of a core, by means of a
 * new cgroup.
 * @param share of the time, 0.3 for 30 %
 * @returns a function that waits until they have exited, and removes the cgroup
 * @throws without permission
 */
export function limitProcessor(pid: number, share: number): () => Promise<void> {
  const folder = join(controllerFolder(), `bench-${pid}`);
  mkdirSync(folder);
  const quota = Math.round(period * share);
  if (isVersion2) {
    writeFileSync(join(folder, 'cpu.max'), `${quota} ${period}`);
  } else {
    writeFileSync(join(folder, 'cpu.cfs_period_us'), String(period));
    writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quota));
  }
  const members = join(folder, 'cgroup.procs');
  for (const each of withDescendants(pid)) writeFileSync(members, String(each));
  return async () => {
    while (readFileSync(members, 'utf8') !== '') await pause(20);
    rmdirSync(folder);
  };
}

const isVersion2 = existsSync(join(root, 'cgroup.controllers'));

/** cgroups(7) */
function controllerFolder(): string {
  if (!isVersion2) return join(root, 'cpu');
  writeFileSync(join(root, 'cgroup.subtree_control'), '+cpu');
  return root;
}
