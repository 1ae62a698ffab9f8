import type { Clock } from '../clock.ts';
import type { Env } from '../env.ts';
import type { Network } from './network.ts';

export const states = ['ok', 'warning', 'failure', 'skipped'] as const;

export interface Finding {
  state: (typeof states)[number];
  /** One sentence without addresses of people, secrets and texts of others. */
  finding: string;
  /** What to do. Null unless it is a warning or failure. */
  fix: string | null;
}

export interface FolderContext {
  /** Absolute. */
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
  /** Such as 'disk space'. */
  name: string;
  /** By default 5. */
  seconds?: number;
  /** Holds up the event loop, so it runs after the others. */
  blocks?: true;
}

/** Works with invalid settings, too. */
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
