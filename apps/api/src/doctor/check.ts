import type { Clock } from '../clock.ts';
import type { Env } from '../env.ts';
import type { Network } from './network.ts';

export const states = ['ok', 'warning', 'failure', 'skipped'] as const;

export interface Finding {
  state: (typeof states)[number];
  /** One sentence, without personal email addresses, secrets and content of users. */
  finding: string;
  /** What to do about a warning or failure; null for other states. */
  fix: string | null;
}

export interface FolderContext {
  dataDir: string;
  /** In DATA_DIR: the database, or the replica of a shared one. */
  databaseFile: string;
  clock: Clock;
  network: Network;
}

export interface DeploymentContext extends FolderContext {
  env: Env;
}

interface Named {
  name: string;
  /** Timeout; 5 by default. */
  seconds?: number;
  /** Blocks the event loop, so it runs after the other checks. */
  blocks?: true;
}

/** Also works with invalid settings. */
export interface FolderCheck extends Named {
  needs: 'folder';
  run(context: FolderContext, signal: AbortSignal): Promise<Finding[]>;
}

export interface DeploymentCheck extends Named {
  needs: 'settings';
  run(context: DeploymentContext, signal: AbortSignal): Promise<Finding[]>;
}

export type Check = FolderCheck | DeploymentCheck;

export const ok = (finding: string): Finding => ({ state: 'ok', finding, fix: null });

export const skipped = (finding: string): Finding => ({ state: 'skipped', finding, fix: null });

export const warning = (finding: string, fix: string): Finding => ({
  state: 'warning',
  finding,
  fix,
});

export const failure = (finding: string, fix: string): Finding => ({
  state: 'failure',
  finding,
  fix,
});
