import type { Database } from '@app/db/open';
import type * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { Env } from '../env.ts';
import type { Progress } from './progress.ts';
import type { Flag, Optional, RequiredValue, Value } from './values.ts';

export interface BareContext {
  /** All commands, for help and completion. */
  commands: readonly AnyCommand[];
  /** Not validated. Undefined means the environment of the process. */
  environment: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether a program reads standard output and standard error. */
  isJson: boolean;
  clock: Clock;
  /** Reports to standard error. */
  progress: Progress;
}

/** Without an open database. */
export interface FolderContext extends BareContext {
  dataDir: string;
  settings: Pick<
    Env,
    'dataDir' | 'databaseServer' | 'databaseToken' | 'emailTo' | 'publicUrl' | 's3' | 'uploads'
  >;
}

/** A server may use the same database at the same time. */
export interface DatabaseContext extends FolderContext {
  db: Database;
}

interface Contexts {
  nothing: BareContext;
  /** DATA_DIR. The command opens the database itself if it needs it. */
  folder: FolderContext;
  database: DatabaseContext;
}

/** In the order of the command line. */
type Arguments = Readonly<Record<string, Value<unknown> | Optional<unknown>>>;

/** By name, without dashes. */
type Options = Readonly<Record<string, Value<unknown> | Flag>>;

interface Given<A extends Arguments, O extends Options> {
  arguments: {
    readonly [K in keyof A]: A[K] extends Optional<infer T>
      ? T | undefined
      : A[K] extends Value<infer T>
        ? T
        : never;
  };
  /** Undefined if not given. */
  options: {
    readonly [K in keyof O]: O[K] extends RequiredValue<infer T>
      ? T
      : (O[K] extends Value<infer T> ? T : true) | undefined;
  };
}

interface Declaration<A extends Arguments, O extends Options, S extends v.GenericSchema> {
  /** One word or two, such as 'outbox list'. */
  name: string;
  /** One sentence. */
  summary: string;
  arguments: A;
  /** In addition to --json and --help. */
  options: O;
  /** Without 'pnpm cli'. */
  examples: readonly [string, ...string[]];
  /** What `run` returns and --json prints. Times are ISO 8601, in UTC. */
  result: S;
  /** The result as text, which ends in a line break. */
  format(result: v.InferOutput<S>, given: Given<A, O>): string;
  /** Other users, such as a web server, read the files it writes. By default, only the owner can. */
  hasPublicFiles?: true;
  /** 0 by default. */
  exitCode?(result: v.InferOutput<S>): 0 | 1;
}

type Command<A extends Arguments, O extends Options, S extends v.GenericSchema> = {
  [Uses in keyof Contexts]: Declaration<A, O, S> & {
    uses: Uses;
    /** @throws {CommandError | UsageError} */
    run(context: Contexts[Uses], given: Given<A, O>): Promise<v.InferOutput<S>>;
  };
}[keyof Contexts];

export type AnyCommand = Command<Arguments, Options, v.GenericSchema>;

/** Infers the types of the command's arguments, options and result. */
export const defineCommand = <
  const A extends Arguments,
  const O extends Options,
  S extends v.GenericSchema,
>(
  command: Command<A, O, S>,
): AnyCommand => command;
