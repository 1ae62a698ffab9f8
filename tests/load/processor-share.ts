import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withDescendants } from './process-memory.ts';

const root = '/sys/fs/cgroup';
/** In microseconds: short, so that requests wait a little each instead of long now and then. */
const period = 10_000;

/** Runs a process, and what it has started and will start, on these cores only (taskset(1)). */
export function pinTo(cores: string, pid: number): void {
  for (const each of withDescendants(pid)) {
    execFileSync('taskset', ['-a', '-c', '-p', cores, String(each)], { stdio: 'ignore' });
  }
}

/**
 * Limits a process, and what it has started and will start, to a share of a core: by a cgroup of
 * their own.
 * @param share of the time, 0.3 for 30 %
 * @returns a function that waits for their end, and removes it
 * @throws without the permission
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
