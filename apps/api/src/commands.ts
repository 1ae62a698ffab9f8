import type { AnyCommand } from './cli/command.ts';
import { completionCommand } from './cli/completion/command.ts';
import { helpCommand } from './cli/help.ts';
import { versionCommand } from './cli/version.ts';
import { features } from './features.ts';
import { quarantineCommands } from './forms/submit/quarantine-commands.ts';
import { submissionCommands } from './forms/submit/submission-commands.ts';

const ofFeatures = await Promise.all(features.map(({ commands }) => commands?.(features) ?? []));

/** Of `pnpm cli`. */
export const commands: readonly AnyCommand[] = [
  ...submissionCommands(features.flatMap(({ submissions }) => submissions ?? [])),
  ...quarantineCommands(features.flatMap(({ form }) => form ?? [])),
  ...ofFeatures.flat(),
  completionCommand,
  versionCommand,
  helpCommand,
];
