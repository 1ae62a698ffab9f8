import type { MiddlewareHandler } from 'hono';
import type { UserData } from './accounts/profile/user-data.ts';
import type { AnyCommand } from './cli/command.ts';
import type { OnSuppressed } from './email/suppressions.ts';
import type { EmailModule } from './email/template.ts';
import type { Form, FormValues, SubmissionTable } from './forms/submit/form.ts';
import type { IsRedirectPage, PublishedPages } from './publishing/pages.ts';
import type { AppEnv, Routes } from './server/context.ts';
import type { PersonalPage } from './server/personal-pages.ts';
import type { SharedPageKey } from './server/render-once.ts';

/** Those that exist before the publisher. */
type EarlyDeps<Deps> = Omit<Deps, 'userData' | 'publisher' | 'scheduler' | 'avatars' | 'bucket'>;

/** Created with the server, so that commands, which have no server, know the paths. */
type ByPath<Deps, T> = Readonly<Record<string, (deps: Deps) => T>>;

/**
 * What the process needs to know about a feature; `features.ts` lists them.
 * @typeParam Deps the parts of the app that it uses
 */
export interface Feature<Deps> {
  name: string;
  /** By mount path. */
  routes?: ByPath<Deps, Routes>;
  /** Around other features' routes, by path. */
  middleware?: ByPath<Deps, MiddlewareHandler<AppEnv>>;
  /**
   * Endpoints that other programs call: `POST /api/path`. They check a secret in the request and
   * read no cookies, so CSRF does not apply.
   */
  endpointsWithoutOrigin?: readonly string[];
  /** Endpoints that read a file with `createUploadReader`. */
  uploadEndpoints?: readonly string[];
  /** Other body limits than `limits.bodyBytes`, below paths. */
  maxBodyBytes?: Readonly<Record<string, number>>;
  /** Pages rendered per request, by path. */
  personalPages?: ByPath<Deps, PersonalPage>;
  sharedPageKey?: SharedPageKey;
  /**
   * Pages published as files.
   * @param republish publishes changed paths
   */
  publishedPages?: (deps: EarlyDeps<Deps>, republish: (paths: string[]) => void) => PublishedPages;
  isRedirectPage?: IsRedirectPage;
  /** What it does when a user changes their name, downloads their data, or deletes the account. */
  userData?: (deps: EarlyDeps<Deps>) => UserData;
  onSuppressed?: OnSuppressed;
  /** Loaded with the first email, because it imports React. */
  emails?: () => Promise<EmailModule>;
  /**
   * Of the database. Run after the start and then every hour, independently of each other, on one of
   * the servers that share it.
   */
  cleanups?: readonly ((deps: Deps) => Promise<void>)[];
  /** Likewise on each server: of its files, or of the bucket. */
  fileCleanups?: readonly ((deps: Deps) => Promise<void>)[];
  /**
   * Loaded by `pnpm cli` only, because they import what the server does not need.
   * @param features all of them
   */
  commands?: (features: readonly Feature<never>[]) => Promise<readonly AnyCommand[]>;
  submissions?: SubmissionTable;
  /** For the quarantine. */
  form?: Form<FormValues>;
}
