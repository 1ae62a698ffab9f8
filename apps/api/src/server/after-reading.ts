/**
 * For a timer that gives up on what has not arrived. Timers run before sockets are read, so after a
 * stall it may be there, unread. `setImmediate` runs after reading (nodejs.org: "The Node.js Event
 * Loop").
 * @param giveUp must have no effect on what has arrived; `clearTimeout` may be too late for it
 */
export const afterReading = (giveUp: () => void) => (): void => void setImmediate(giveUp);
