import * as v from 'valibot';
import { defineCommand } from '../command.ts';
import { describeCommand } from '../help.ts';
import { choice } from '../values.ts';
import { completionScript, shells } from './scripts.ts';

export const completionCommand = defineCommand({
  name: 'completion',
  summary: 'Prints a script that completes these commands in a shell.',
  uses: 'nothing',
  arguments: { shell: choice('shell', shells, 'The shell that reads the script.') },
  options: {},
  examples: ['completion bash > ~/.pnpm-cli.bash', 'completion fish | source'],
  result: v.strictObject({ script: v.string() }),
  run: async ({ commands }, given) => ({
    script: completionScript(given.arguments.shell, commands.map(describeCommand)),
  }),
  format: ({ script }) => script,
});
