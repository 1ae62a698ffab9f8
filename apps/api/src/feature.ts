import type { Database } from '@app/db/open';
import type { MiddlewareHandler } from 'hono';
import type { LogByline, UserData } from './accounts/profile/user-data.ts';
import type { AnyCommand } from './cli/command.ts';
import type { OnSuppressed } from './email/suppressions.ts';
import type { EmailModule } from './email/template.ts';
import type { Form, FormValues, SubmissionTable } from './forms/submit/form.ts';
import type { IsRedirect, PublishedPages } from './publishing/pages.ts';
import type { AppEnv, Routes } from './server/context.ts';
import type { PersonalPage } from './server/personal-pages.ts';
import type { SharedPageKey } from './server/shared-pages.ts';

/** What exists before the publisher is created. */
type EarlyDeps<Deps> = Omit<Deps, 'userData' | 'publisher' | 'scheduler' | 'avatars' | 'bucket'>;

/** Values are created with the server. Commands, which have no server, can still read the paths. */
type ByPath<Deps, T> = Readonly<Record<string, (deps: Deps) => T>>;

/**
 * What the process needs to know about a feature; `features.ts` lists them.
 * @typeParam Deps the parts of the app that it uses
 */
export interface Feature<Deps> {
  name: string;
  /** By mount path. */
  routes?: ByPath<Deps, Routes>;
  /** Runs around the routes of all features, by path. */
  middleware?: ByPath<Deps, MiddlewareHandler<AppEnv>>;
  /**
   * Endpoints that other programs call: `POST /api/path`. They check a secret in the request and
   * read no cookies, so CSRF does not apply.
   */
  endpointsWithoutOrigin?: readonly string[];
  /** Endpoints that read a file with `createUploadReader`. */
  uploadEndpoints?: readonly string[];
  /** Body limits that replace `limits.bodyBytes` below a path. */
  maxBodyBytes?: Readonly<Record<string, number>>;
  /** Pages rendered per request, by path. */
  personalPages?: ByPath<Deps, PersonalPage>;
  sharedPageKey?: SharedPageKey;
  /**
   * Pages published as files.
   * @param republish publishes changed paths
   */
  publishedPages?: (deps: EarlyDeps<Deps>, republish: (paths: string[]) => void) => PublishedPages;
  /** Whether the app redirects a path, so that only static hosts need a page there. */
  redirects?: (db: Database) => IsRedirect;
  /** What it does when a user changes their name, downloads their data, or deletes the account. */
  userData?: (deps: EarlyDeps<Deps>) => UserData;
  logByline?: LogByline;
  onSuppressed?: OnSuppressed;
  /** Loaded with the first email, because it imports React. */
  emails?: () => Promise<EmailModule>;
  /**
   * Kinds of emails that owners of accounts ask for, or must see, such as password resets. They are
   * sent despite a complaint about another email.
   */
  accountEmails?: readonly string[];
  /**
   * Clean up the database. They run independently of each other, after the start and then every
   * hour, on one of the servers that share the database.
   */
  cleanups?: readonly ((deps: Deps) => Promise<void>)[];
  /** Clean up the files of each server, or the bucket, at the same times. */
  fileCleanups?: readonly ((deps: Deps) => Promise<void>)[];
  /**
   * Loaded only by `pnpm cli`, because they import modules that the server does not need.
   * @param features all features
   */
  commands?: (features: readonly Feature<never>[]) => Promise<readonly AnyCommand[]>;
  submissions?: SubmissionTable;
  /** For the quarantine of suspected spam. */
  form?: Form<FormValues>;
}
