/** Its message says what failed and what to do about it. */
export class Failure extends Error {}

/**
 * Runs a command and sets the exit code. Prints only the message of a `Failure`; other errors are
 * bugs, so they are printed with their stack.
 * @param {() => Promise<number | void>} command resolves to the exit code, by default 0
 */
export const main = async (command) => {
  try {
    process.exitCode = (await command()) ?? 0;
  } catch (error) {
    console.error(error instanceof Failure ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
};
