/**
 * Lets work of one key run one after the other, in the order it came; work of other keys does
 * not wait. Of fifty equal submissions at once, the second sees what the first has stored.
 */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key) ?? Promise.resolve();
    // Whether the one before went well is its own caller's concern.
    const mine = before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
