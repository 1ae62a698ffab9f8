/** A failure that a person can act on: one sentence of what failed, one of how to mend it. */
export class Failure extends Error {}

/**
 * Runs a command to its end and sets the exit code. A `Failure` is told in its own words;
 * anything else is a mistake in the command itself, so it keeps its stack.
 * @param {() => Promise<number | void>} command resolves to the exit code, 0 when it gives none
 */
export const main = async (command) => {
  try {
    process.exitCode = (await command()) ?? 0;
  } catch (error) {
    console.error(error instanceof Failure ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
};
