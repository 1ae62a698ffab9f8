/**
 * Wraps the callback of a timeout for data from a socket. Node runs timers before it reads sockets,
 * so after a stall the data may have arrived in time without having been read. `setImmediate` runs
 * after that read (nodejs.org: "The Node.js Event Loop").
 * @param giveUp must do nothing if the data has arrived: `clearTimeout` can be too late to stop it
 */
export const afterReading = (giveUp: () => void) => (): void => void setImmediate(giveUp);
