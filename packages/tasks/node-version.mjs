/**
 * The first import of every command. It uses only syntax and named imports of every Node with ES
 * modules, so an older one prints the message instead of a syntax error.
 */
const oldestNode = 20;

/** @param {string} version as in `process.versions.node` */
export const isTooOld = (version) => Number.parseInt(version, 10) < oldestNode;

if (isTooOld(process.versions.node)) {
  console.error(
    `This needs Node ${oldestNode} or newer and was started with ${process.versions.node}: ` +
      'install a current Node from https://nodejs.org and run the command again.',
  );
  process.exit(1);
}
