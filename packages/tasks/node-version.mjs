/**
 * The first import of every command. What it is written in, and what its neighbours import by
 * name, exists in every Node that knows ES modules: an older one gets the sentence, not a
 * syntax error.
 */
export const oldestNode = 20;

/** @param {string} version as in `process.versions.node` */
export const isTooOld = (version) => Number.parseInt(version, 10) < oldestNode;

if (isTooOld(process.versions.node)) {
  console.error(
    `This needs Node ${oldestNode} or newer and was started with ${process.versions.node}: ` +
      'install a current Node from https://nodejs.org and run the command again.',
  );
  process.exit(1);
}
