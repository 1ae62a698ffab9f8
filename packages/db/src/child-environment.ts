/**
 * The environment of threads and child processes that need none: without secrets, and without what
 * makes a thread report its files to `node --watch`. Node's compile cache, where there is one as in
 * tests, halves the time to start from TypeScript.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}
