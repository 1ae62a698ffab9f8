/**
 * The environment of threads and child processes, without secrets and without the variables that
 * make a thread report its files to `node --watch`. Node's compile cache, if there is one as in
 * tests, halves the time to start from TypeScript.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}
