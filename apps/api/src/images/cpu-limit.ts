const checkMilliseconds = 50;

/** In milliseconds, of all threads of this process since it started. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Ends this process with SIGXCPU, as RLIMIT_CPU would (setrlimit(2)), if the work takes more CPU
 * time. Native code cannot be interrupted in another way. The work must leave the event loop free.
 */
export async function withCpuLimit<Result>(
  milliseconds: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const end = cpuTime() + milliseconds;
  const timer = setInterval(() => {
    if (cpuTime() > end) process.kill(process.pid, 'SIGXCPU');
  }, checkMilliseconds);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
