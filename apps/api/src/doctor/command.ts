import { isEmailAddress, normalizeEmail } from '@app/contract/email-address';
import * as v from 'valibot';
import { defineCommand } from '../cli/command.ts';
import { UsageError } from '../cli/errors.ts';
import { count } from '../cli/schemas.ts';
import { counted } from '../cli/table.ts';
import type { Value } from '../cli/values.ts';
import { wrap } from '../cli/wrap.ts';
import { parseEnv } from '../env.ts';
import { states } from './check.ts';
import { testEmail } from './checks/email.ts';
import { checks } from './checks.ts';
import { foldersOf } from './folders.ts';
import { createNetwork } from './network.ts';
import { type Checked, runChecks } from './run-checks.ts';

const checked = v.strictObject({
  check: v.string(),
  state: v.picklist(states),
  finding: v.string(),
  fix: v.nullable(v.string()),
});

const recipient: Value<string> = {
  placeholder: 'address',
  description: 'Sends a test email with the settings of the server.',
  parse(given) {
    if (isEmailAddress(given)) return normalizeEmail(given);
    throw new UsageError(`"${given}" is not an email address.`);
  },
};

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Checks each step of a deployment, and says how to fix what is wrong.',
  uses: 'nothing',
  arguments: {},
  options: { 'send-email': recipient },
  examples: ['doctor', 'doctor --send-email you@example.com'],
  result: v.strictObject({ warnings: count, failures: count, checks: v.array(checked) }),
  async run({ environment, clock }, given) {
    const parsed = parseEnv(environment);
    const to = given.options['send-email'];
    const found = [
      ...('problems' in parsed ? parsed.problems.map(toChecked) : []),
      ...(await runChecks(
        to === undefined ? checks : [...checks, testEmail(to)],
        { ...foldersOf(environment), clock, network: createNetwork() },
        'env' in parsed ? parsed.env : null,
      )),
    ];
    const count = (state: Checked['state']) => found.filter((each) => each.state === state).length;
    return { warnings: count('warning'), failures: count('failure'), checks: found };
  },
  format: ({ checks: all, warnings, failures }) =>
    [
      ...all.flatMap(formatChecked),
      '',
      `${counted(failures, 'failure')}, ${counted(warnings, 'warning')}.\n`,
    ].join('\n'),
  exitCode: ({ failures }) => (failures > 0 ? 1 : 0),
});

const toChecked = (problem: string): Checked => ({
  check: 'settings',
  state: 'failure',
  finding: problem,
  fix: 'Change it in the environment of the server, such as /etc/site.env, and restart the server.',
});

const indent = ' '.repeat(9);

function formatChecked({ check, state, finding, fix }: Checked): string[] {
  const lines = wrap(`${check}: ${finding}`, 71);
  return [
    ...lines.map((line, index) => (index === 0 ? state.padEnd(9) : indent) + line),
    ...(fix === null
      ? []
      : wrap(`→ ${fix}`, 71).map((line, index) => indent + (index === 0 ? line : `  ${line}`))),
  ];
}
