import type { AppContext } from '../../server/context.ts';

/**
 * Makes browsers discard the pages that they have prerendered, because these show posts as they
 * were before the change (speculation rules, "Clear-Site-Data integration").
 */
export const discardPrerendered = (c: AppContext): void =>
  c.header('Clear-Site-Data', '"prefetchCache", "prerenderCache"');
