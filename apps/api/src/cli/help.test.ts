import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commands } from '../commands.ts';
import { siteForEachTest } from '../testing/cli.ts';
import { errorCodes } from './errors.ts';
import { describeShape, jsonSchemaOf } from './json-shape.ts';

const site = siteForEachTest();
const operations = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');

test.each(['help', '--help', '-h', '--help nothing'])('lists all commands for %s', async (line) => {
  const out = await site.output(line);
  for (const { name } of commands) expect(out).toContain(`\n  ${name}`);
});

test('explains a command', async () => {
  const out = await site.output('help outbox resend');
  expect(out).toBe(`Usage: pnpm cli outbox resend [<id>] [--dead] [--queued]

Retries queued or failed emails now: one, or all of them.

Arguments:
  [<id>]  An id from \`outbox list\`, or its end: at least 4 characters.

Options:
  --dead      Retries all emails that failed for good.
  --queued    Retries all emails that are queued, without waiting for their next
              try.
  --json      Prints the result as JSON, and an error as JSON to standard error.
  -h, --help  Prints this help.

Examples:
  pnpm cli outbox resend 0000cccc
  pnpm cli outbox resend --dead

Exit codes:
  0  It succeeded.
  1  It failed. Standard error says why, and what to do.
  2  The arguments are wrong; nothing was done.

JSON (a time is ISO 8601, in UTC):
  { queued: number }
`);
  for (const line of ['outbox resend --help', '-h outbox resend', 'outbox resend aaaa bbbb -h']) {
    expect(await site.output(line)).toBe(out);
  }
});

test.each(['help outbox', 'outbox --help', 'outbox lst --help'])(
  'lists the commands of a topic for %s',
  async (line) => {
    const out = await site.output(line);
    expect(out).toContain('\n  outbox list');
    expect(out).toContain('\n  outbox resend');
    expect(out).not.toContain('\n  staff');
  },
);

test('does not run the command with --help', async () => {
  const { exitCode } = await site.run('staff list --help', { DATA_DIR: '/nowhere', PORT: 'abc' });
  expect(exitCode).toBe(0);
});

test('passes words after -- to the command', async () => {
  const { exitCode, err } = await site.run('staff add -- --help');
  expect({ exitCode, err }).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('"--help" is not an email address.'),
  });
});

test('rejects unknown commands', async () => {
  const { exitCode, err } = await site.run('help outbx');
  expect({ exitCode, err }).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('There is no command "outbx".'),
  });
});

test('shows required options without brackets', async () => {
  for (const name of ['uploads move', 'database move']) {
    expect(await site.output(`help ${name}`)).toMatch(
      new RegExp(`^Usage: pnpm cli ${name} --to <URL or folder>\n`),
    );
  }
});

test('describes all commands as JSON', async () => {
  const described = (await site.json('help')) as { commands: { name: string }[] };
  expect(described.commands.map(({ name }) => name)).toEqual(commands.map(({ name }) => name));
  expect(await site.json('help outbox list')).toMatchObject({
    commands: [
      {
        options: [
          { name: 'state', value: 'state', choices: ['queued', 'sent', 'dead'] },
          { name: 'limit', value: 'number', choices: [] },
        ],
        resultSchema: { type: 'object', required: ['emails', 'total'] },
      },
    ],
  });
});

test.each(commands.map((command) => [command.name, command] as const))(
  'fits help of %s into 80 columns, and has valid examples',
  async (name, { examples }) => {
    const out = await site.output(`help ${name}`);
    for (const line of [...out.split('\n'), ...(await site.output('help')).split('\n')]) {
      expect(line.length).toBeLessThanOrEqual(80);
    }
    for (const example of examples) expect(example.startsWith(name)).toBe(true);
  },
);

describe('operations.md', () => {
  test.each(commands.map((command) => [command.name, command] as const))(
    'has %s in its table, and the shape of its JSON',
    (name, command) => {
      const shape = describeShape(jsonSchemaOf(command.result));
      expect(operations).toMatch(new RegExp(`^\\| .*\`${name}\\b`, 'm'));
      if (!operations.includes(`\n// ${name}\n${shape}\n`)) expect.fail(`\n// ${name}\n${shape}`);
    },
  );

  test.each(Object.entries(errorCodes))('explains the error code %s', (code, meaning) => {
    const row = operations.split('\n').find((line) => line.startsWith(`| \`${code}\``));
    expect(row?.split('|')[2]?.trim()).toBe(meaning);
  });
});
