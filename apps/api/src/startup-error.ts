/** The message tells the operator why the server cannot start. */
export class StartupError extends Error {
  override name = 'StartupError';
}
