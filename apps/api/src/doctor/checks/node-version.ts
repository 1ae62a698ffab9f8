import { type FolderCheck, failure, ok } from '../check.ts';

/** The version that the project installs, see pnpm-workspace.yaml. */
const major = 24;

export const nodeVersion: FolderCheck = {
  name: 'node',
  needs: 'folder',
  async run() {
    const { node } = process.versions;
    if (Number.parseInt(node, 10) >= major) return [ok(`Node ${node} runs this command.`)];
    return [
      failure(
        `Node ${node} runs this command, but it needs ${major}.`,
        'Use the Node that the project installs: run `pnpm cli`, or node_modules/node/bin/node.',
      ),
    ];
  },
};
