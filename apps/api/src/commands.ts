import type { AnyCommand } from './cli/command.ts';
import { completionCommand } from './cli/completion/command.ts';
import { helpCommand } from './cli/help.ts';
import { versionCommand } from './cli/version.ts';
import { features } from './features.ts';

const ofFeatures = await Promise.all(features.map(({ commands }) => commands?.(features) ?? []));

/** The commands of `pnpm cli`. */
export const commands: readonly AnyCommand[] = [
  ...ofFeatures.flat(),
  completionCommand,
  versionCommand,
  helpCommand,
];
