interface Maximums {
  max: number;
  /** Keeps one account or client from blocking the others. */
  maxPerKey: number;
}

/**
 * Limits how many requests run at once, in total and per key. The returned function runs a request,
 * or returns false if too many are running.
 */
export function createAdmission({ max, maxPerKey }: Maximums) {
  let admitted = 0;
  const admittedOf = new Map<string, number>();

  const add = (key: string, change: number): void => {
    const count = (admittedOf.get(key) ?? 0) + change;
    if (count > 0) admittedOf.set(key, count);
    else admittedOf.delete(key);
  };

  return async (keys: readonly string[], request: () => Promise<void>): Promise<boolean> => {
    if (admitted >= max) return false;
    if (keys.some((key) => (admittedOf.get(key) ?? 0) >= maxPerKey)) return false;
    admitted += 1;
    for (const key of keys) add(key, 1);
    try {
      await request();
      return true;
    } finally {
      admitted -= 1;
      for (const key of keys) add(key, -1);
    }
  };
}
