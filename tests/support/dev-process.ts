import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const workspace = fileURLToPath(new URL('../..', import.meta.url));

export class DevProcess implements AsyncDisposable {
  output = '';
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(env: Record<string, string>) {
    this.#child = spawn(process.execPath, ['packages/tasks/dev.mjs'], {
      cwd: workspace,
      env: { ...env, PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
    this.ended = once(this.#child, 'close').then(([code]) => code as number | null);
  }

  stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
