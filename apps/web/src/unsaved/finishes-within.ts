/** Browsers may never answer a request to their storage. In milliseconds. */
export const storageTimeout = 2_000;

/** @returns false if it failed, or takes longer. Never rejects. */
export const finishesWithin = (milliseconds: number, work: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    work.then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((resolve) => setTimeout(resolve, milliseconds, false)),
  ]);
