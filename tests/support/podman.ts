import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The network of the host, and limits that any machine allows. */
const runOptions = ['--network=host', '--ulimit=nofile=1024:1024', '--ulimit=nproc=4096:4096'];

/** Finds a runtime that can run a program on a copy of this machine's files. */
function findRuntime(): { runtime: string } | { reason: string } {
  const problems: string[] = [];
  for (const runtime of ['crun', 'runc']) {
    const args = [`--runtime=${runtime}`, 'run', '--rm', ...runOptions, '--rootfs', '/:O', 'true'];
    const { status, stderr, error } = spawnSync('podman', args, { encoding: 'utf8' });
    if (status === 0) return { runtime };
    problems.push(error ? error.message : `${runtime}: ${stderr.trim().split('\n').at(-1)}`);
  }
  return { reason: problems.join('; ') };
}

function findPodman(): { runtime: string } | { reason: string } {
  for (const program of ['podman', 'mmdebstrap', 'npm']) {
    if (spawnSync(program, ['--version']).error) return { reason: `${program} is not installed` };
  }
  return findRuntime();
}

let found: ReturnType<typeof findPodman> | undefined;

export function whyNoPodman(): string | undefined {
  found ??= findPodman();
  return 'reason' in found ? found.reason : undefined;
}

/** @returns its output @throws with its standard error when it fails */
export async function podman(...args: readonly string[]): Promise<string> {
  found ??= findPodman();
  const runtime = 'runtime' in found ? [`--runtime=${found.runtime}`] : [];
  const { stdout } = await promisify(execFile)('podman', [...runtime, ...args], {
    maxBuffer: 64 * 1_048_576,
  });
  return stdout.trim();
}

/** Without a container runtime, which not every machine has, and without cached layers. */
const buildOptions = ['--isolation=chroot', '--network=host', '--format=docker', '--layers=false'];

export const build = (...args: readonly string[]): Promise<string> =>
  podman('build', ...buildOptions, ...args);

export const run = (...args: readonly string[]): Promise<string> =>
  podman('run', ...runOptions, ...args);

/**
 * Makes the base images of the Containerfile without a registry: Debian from its own mirror, and the
 * same with this Node and npm.
 * @param folder for temporary files
 */
export async function makeBases(folder: string, base: string, buildBase: string): Promise<void> {
  const archive = join(folder, 'debian.tar');
  await promisify(execFile)('mmdebstrap', [
    '--variant=minbase',
    '--include=ca-certificates',
    'trixie',
    archive,
    'http://deb.debian.org/debian',
  ]);
  await podman('import', archive, base);

  const context = join(folder, 'context');
  mkdirSync(context);
  const npm = realpathSync(spawnSync('which', ['npm'], { encoding: 'utf8' }).stdout.trim());
  cpSync(process.execPath, join(context, 'node'), { dereference: true });
  cpSync(dirname(dirname(npm)), join(context, 'npm'), { recursive: true });
  // This machine's certificate authorities, including that of a proxy for the npm registry.
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(context, 'authorities.crt'));
  writeFileSync(
    join(context, 'Containerfile'),
    `FROM ${base}
COPY node /usr/local/bin/
COPY npm /usr/local/lib/npm
COPY authorities.crt /etc/ssl/authorities.crt
RUN ln -s ../lib/npm/bin/npm-cli.js /usr/local/bin/npm \\
  && ln -s ../lib/npm/bin/npx-cli.js /usr/local/bin/npx
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/authorities.crt
`,
  );
  await build('-t', buildBase, context);
}
