import * as v from 'valibot';
import { version } from '../version.ts';
import { defineCommand } from './command.ts';

export const versionCommand = defineCommand({
  name: 'version',
  summary: 'Prints the version of this program, and of Node.',
  uses: 'nothing',
  arguments: {},
  options: {},
  examples: ['version'],
  result: v.strictObject({ version: v.string(), node: v.string() }),
  run: async () => ({ version, node: process.versions.node }),
  format: (versions) => `${versions.version} (Node ${versions.node})\n`,
});
