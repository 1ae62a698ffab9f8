/** @type {readonly NodeJS.Signals[]} */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** How often it is looked whether npm is still there, in milliseconds. */
const glance = 250;

/**
 * Calls back when this command is asked to stop, with the signal that says so: one that came, or
 * SIGTERM when the npm that called it is gone. (npm starts scripts through a shell, and a shell
 * that is terminated does not tell its child.)
 * @param {(signal: NodeJS.Signals) => void} callback
 * @returns {() => void} ends the waiting
 */
export const onStop = (callback) => {
  const listeners = signals.map((signal) => {
    const listener = () => callback(signal);
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    callback('SIGTERM');
  }, glance).unref();
  // Without npm the parent is someone's shell, which may well go and leave the program running.
  if (!process.env['npm_lifecycle_event']) clearInterval(watch);
  return () => {
    clearInterval(watch);
    for (const forget of listeners) forget();
  };
};
