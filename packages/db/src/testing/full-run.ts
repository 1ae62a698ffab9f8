import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    isFullRun: boolean;
  }
}

/** `pnpm test:full` tests all cases of each rule. */
export const isFullRun = inject('isFullRun');
