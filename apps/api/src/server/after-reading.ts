/**
 * For a timer that gives up what has not arrived: timers run before sockets are read, so that on a
 * machine that stalled it may have arrived. `setImmediate` runs after that (nodejs.org: "The Node.js
 * Event Loop").
 * @param giveUp must have no effect on what has arrived; `clearTimeout` may be too late for it
 */
export const afterReading = (giveUp: () => void) => (): void => void setImmediate(giveUp);
