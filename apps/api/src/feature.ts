import type { MiddlewareHandler } from 'hono';
import type { AnyCommand } from './cli/command.ts';
import type { EmailModule } from './email/template.ts';
import type { Form, FormDeps, FormValues } from './forms/submit/form.ts';
import type { SubmissionTable } from './forms/submit/submission-table.ts';
import type { PublishedPages } from './publishing/pages.ts';
import type { AppEnv, Routes } from './server/context.ts';
import type { PersonalPages } from './server/personal-pages.ts';

/**
 * All that the process knows of a feature; `features.ts` lists them.
 * @typeParam Deps the parts of the app that it works with
 */
export interface Feature<Deps> {
  /** In log lines. */
  name: string;
  /** By the path that they are mounted at. */
  routes?: (deps: Deps) => Readonly<Record<string, Routes>>;
  /** Runs around other features' routes, by path. */
  middleware?: (deps: Deps) => Readonly<Record<string, MiddlewareHandler<AppEnv>>>;
  /**
   * Endpoints that other programs call, from no page: `POST /api/path`. Each checks a secret in the
   * request and reads no cookie, so there is nothing to forge with a visitor's browser.
   */
  endpointsWithoutOrigin?: readonly string[];
  /** Endpoints that read a file with `createUploadReader`, once the caller may send one. */
  uploadEndpoints?: readonly string[];
  /** Paths below which a body may be larger than elsewhere, in bytes. */
  maxBodyBytes?: Readonly<Record<string, number>>;
  /** Pages that are rendered for one visitor at each request, by path. */
  personalPages?: (deps: Deps) => PersonalPages;
  /**
   * Pages that are published as files.
   * @param deps those that exist before the publisher
   * @param republish publishes paths that show something else from now on
   */
  publishedPages?: (
    deps: Omit<Deps, 'publisher' | 'avatars'>,
    republish: (paths: string[]) => void,
  ) => PublishedPages;
  /** Its kinds of emails; loaded with the first one that is rendered, because React comes along. */
  emails?: () => Promise<EmailModule>;
  /** Deletes what has expired: soon after a start, and then every hour. */
  cleanup?: (deps: Deps) => Promise<void>;
  /** Of `pnpm cli`. */
  commands?: readonly AnyCommand[];
  /** What `submissions list` and `submissions export` read. */
  submissions?: SubmissionTable;
  /** A form whose spam waits in quarantine. */
  form?: (deps: FormDeps) => Form<FormValues>;
}
