interface Maximums {
  max: number;
  /** So that no account or client keeps the others out. */
  maxPerKey: number;
}

/**
 * Bounds how many requests are underway at once, in all and of each key.
 * @returns runs a request; false if too many are underway: then this one does not run
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
