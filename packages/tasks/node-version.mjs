/**
 * The first import of every command. It only uses syntax that every Node with ES modules supports,
 * so that an old one prints the message instead of a syntax error.
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
