/** A failure that a person can act on: what failed and what to do about it. */
export class Failure extends Error {}

/**
 * Runs a command to its end and sets the exit code. Only the message of a `Failure` is printed;
 * anything else is a bug in the command, so it keeps its stack.
 * @param {() => Promise<number | void>} command resolves to the exit code, 0 without one
 */
export const main = async (command) => {
  try {
    process.exitCode = (await command()) ?? 0;
  } catch (error) {
    console.error(error instanceof Failure ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
};
