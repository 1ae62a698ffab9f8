import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { pnpm } from '@app/tasks/install';
import { root } from '../../architecture/sources.ts';

const installMinutes = 15;

/** Makes `node` refer to this version of Node in all programs that peers start. */
const nodeFirst = {
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
};

/**
 * Installs packages into a folder of .cache, so that they do not become dependencies of the site.
 * @param dependencies with exact versions
 * @param builds packages whose install scripts may run
 * @returns the folder
 * @throws an error with the end of pnpm's output
 */
export async function installPeer(
  name: string,
  dependencies: Readonly<Record<string, string>>,
  builds: readonly string[] = [],
): Promise<string> {
  const folder = join(root, '.cache/peers', name);
  const allowed = builds.map((build) => `  ${JSON.stringify(build)}: true\n`);
  const files = {
    'package.json': JSON.stringify({ private: true, type: 'module', dependencies }),
    'pnpm-workspace.yaml': `strictDepBuilds: false\nallowBuilds:\n${allowed.join('') || '  {}\n'}`,
  };
  const wanted = JSON.stringify(files);
  const marker = join(folder, '.installed');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  await runPnpm(folder, ['install', '--no-frozen-lockfile']);
  writeFileSync(marker, wanted);
  return folder;
}

/** @throws an error with the end of its output */
export async function runPnpm(folder: string, args: readonly string[]): Promise<void> {
  const [command = 'npx', ...first] = pnpm();
  console.log(`  installing ${folder}`);
  try {
    await promisify(execFile)(command, [...first, ...args], {
      cwd: folder,
      env: { ...process.env, ...nodeFirst, CI: 'true' },
      timeout: installMinutes * 60_000,
      maxBuffer: 2 ** 28,
    });
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & Partial<Record<string, string>>;
    const output = `${stdout}${stderr}`.trim().slice(-500);
    throw new Error(`the installation failed: ${output || message}`);
  }
}
