/** In milliseconds. A browser's storage can hang forever. */
export const storageTimeout = 2_000;

/** @returns false if the work fails or takes longer. Never rejects. */
export const finishesWithin = (milliseconds: number, work: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    work.then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((resolve) => setTimeout(resolve, milliseconds, false)),
  ]);
