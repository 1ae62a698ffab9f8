import { writeTransaction } from '@app/db/write-transaction';
import * as v from 'valibot';
import { type AnyCommand, defineCommand } from '../cli/command.ts';
import { CommandError, UsageError } from '../cli/errors.ts';
import { orExplain } from '../cli/explain.ts';
import { count } from '../cli/schemas.ts';
import { counted } from '../cli/table.ts';
import { untilInterrupted } from '../cli/until-interrupted.ts';
import { choice, path, type Value } from '../cli/values.ts';
import { isHttpOrigin } from '../http-origin.ts';
import { everything, logChange } from '../publishing/log.ts';
import { exportSite, type PublishedSite } from './export-site.ts';
import { hosts } from './hosts/hosts.ts';
import { OutdatedSite, SiteChanged } from './source.ts';
import { TargetError } from './target.ts';

export const siteExportCommand = (site: PublishedSite): AnyCommand =>
  defineCommand({
    name: 'site export',
    summary: 'Copies the public files into a folder, for another web server.',
    uses: 'database',
    hasPublicFiles: true,
    arguments: {
      folder: path('folder', 'An empty folder, or that of an earlier export, which is updated.'),
    },
    options: {
      host: choice(
        'host',
        hosts.map(({ name }) => name),
        'Adds the configuration of a web server or service.',
      ),
      api: {
        placeholder: 'url',
        description: 'The origin of this server as the host reaches it; required with --host.',
        parse: parseOrigin,
      } satisfies Value<string>,
    },
    examples: [
      'site export /srv/site --host caddy --api http://127.0.0.1:4321',
      'site export /srv/site --host netlify --api https://api.example.com',
    ],
    result: v.strictObject({ folder: v.string(), files: count, written: count, removed: count }),
    async run({ dataDir, db, progress }, given) {
      const { folder } = given.arguments;
      const { api } = given.options;
      const host = hosts.find(({ name }) => name === given.options.host);
      if (host && api === undefined) {
        const example = host.isRemote ? 'https://api.example.com' : 'http://127.0.0.1:4321';
        throw new UsageError(`--host ${host.name} needs the server's URL: --api ${example}.`);
      }
      if (host?.isRemote && !api?.startsWith('https:')) {
        throw new UsageError(`--api ${api}: ${host.name} needs a URL that starts with https://.`);
      }
      const options = { ...site, dataDir, db, folder, host, api, onProgress: progress };
      const result = await untilInterrupted((signal) =>
        orExplain(signal, failures, () => exportSite({ ...options, signal })),
      );
      if (result) return { folder, ...result };
      throw new CommandError(
        'not_found',
        `No site is published in DATA_DIR ${dataDir}: use the server's DATA_DIR, or start the server once.`,
      );
    },
    format: ({ folder, files, written, removed }) =>
      `${folder} has ${counted(files, 'file')}: ${written} written, ${removed} removed.\n`,
  });

export const siteRenderCommand = defineCommand({
  name: 'site render',
  summary: 'Makes all servers render every page again; the old pages are served meanwhile.',
  uses: 'database',
  arguments: {},
  options: {},
  examples: ['site render'],
  result: v.strictObject({ requested: v.literal(true) }),
  async run({ db, clock }) {
    await writeTransaction(db, (tx) => logChange(tx, clock.now(), [everything]));
    return { requested: true as const };
  },
  format: () =>
    'Every page will be rendered again: at once by a running server, or when it starts.\n',
});

function parseOrigin(given: string): string {
  if (isHttpOrigin(given)) return new URL(given).origin;
  throw new UsageError(`--api ${given}: expected an origin, such as https://api.example.com.`);
}

const failures = {
  explain(error: unknown) {
    if (error instanceof TargetError) return new CommandError('conflict', error.message);
    if (error instanceof OutdatedSite) {
      return new CommandError(
        'conflict',
        'The site was published by an earlier version: start the server, and export again once it has republished all pages.',
      );
    }
    if (error instanceof SiteChanged) {
      return new CommandError(
        'conflict',
        `The published site kept changing for a minute (${error.message}), so nothing was exported. Export again when less is being published. If nothing is, start the server: it publishes what waits.`,
      );
    }
    return undefined;
  },
  interrupted: 'Interrupted: nothing was changed.',
  diskFull: 'The disk is full. Free some space and export again.',
  fileSystem: (message: string) =>
    `${message}. Make sure that this user has access to it, and export again.`,
};
