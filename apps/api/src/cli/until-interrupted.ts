const interrupts = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Aborts the signal when the process is asked to stop. */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const name of interrupts) process.on(name, abort);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of interrupts) process.off(name, abort);
  }
}
