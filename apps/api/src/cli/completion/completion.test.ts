import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { cliOutput } from '../../testing/cli.ts';
import { MovingClock } from '../../testing/test-app.ts';
import { type Shell, shells } from './scripts.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'completion-'));
  const site = { dataDir: '/nowhere', clock: new MovingClock() };
  for (const shell of shells) {
    writeFileSync(join(folder, `script.${shell}`), await cliOutput(site, 'completion', shell));
  }
  writeFileSync(join(folder, 'site.tar.gz'), '');
  return () => rmSync(folder, { recursive: true });
});

function run(shell: Shell, args: string[], input = ''): string {
  const { stdout } = spawnSync(shell, args, {
    ...{ cwd: folder, input, encoding: 'utf8', timeout: 10_000 },
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, TERM: 'dumb' },
  });
  return stdout;
}

/** A stand-in for pnpm that prints its arguments. */
const pnpm = `pnpm() { printf '<%s>' "$@"; }`;

/** What the shell suggests at the end of an unfinished line. */
const offers: Record<Shell, (line: string) => string[]> = {
  // Escape and * insert all of readline's suggestions.
  bash(line) {
    const input = `${pnpm}\nsource script.bash\n${line}\u001b*\n`;
    const words = line.split(' ').slice(1, -1);
    const typed = run('bash', ['--noprofile', '--norc', '-i'], input).match(/(?<=<)[^>]*/g) ?? [];
    expect(typed.slice(0, words.length)).toEqual(words);
    return typed.slice(words.length);
  },
  // Calls the function like zsh's line editor, which would need a terminal.
  zsh(line) {
    const words = line.split(' ');
    const program = `compdef() { :; }; typeset -A _comps
_files() { print -rl -- *; }
compadd() { shift; print -rl -- "$@"; }
source script.zsh
words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}; _pnpm_cli`;
    const offered = run('zsh', ['-f', '-c', program]).split('\n');
    return offered.filter((word) => word !== '' && word.startsWith(words.at(-1) ?? ''));
  },
  fish: (line) =>
    run('fish', ['--no-config', '-c', `source script.fish; complete -C '${line}'`])
      .split('\n')
      .map((each) => each.split('\t')[0] ?? '')
      .filter(Boolean),
};

const isInstalled = (shell: Shell): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

test.for(shells)('completes commands, options, their values and files in %s', (shell, { skip }) => {
  skip(!isInstalled(shell), `${shell} is not installed`);
  const offered = (line: string) => offers[shell](line).sort();
  expect(offered('pnpm cli o')).toEqual(['outbox']);
  expect(offered('pnpm cli outbox ')).toEqual(['list', 'resend']);
  expect(offered('pnpm cli outbox list --state ')).toEqual(['dead', 'queued', 'sent']);
  expect(offered('pnpm cli outbox list --state dead --l')).toEqual(['--limit']);
  expect(offered('pnpm cli submissions export c')).toEqual(['careers', 'contact']);
  expect(offered('pnpm cli restore s')).toContain('site.tar.gz');
  expect(offered('pnpm cli restore --')).toEqual(['--help', '--json']);
  expect(offered('pnpm cli help outbox l')).toEqual(['list']);
  expect(offered('pnpm --silent cli staff a')).toEqual(['add']);
});

test('leaves other commands to the completion of pnpm in bash', () => {
  const input = `${pnpm}
_pnpm() { COMPREPLY=(install); }
complete -F _pnpm pnpm
source script.bash
source script.bash
pnpm ins\t
pnpm cli outb\t
`;
  expect(run('bash', ['--noprofile', '--norc', '-i'], input)).toBe('<install><cli><outbox>');
});
