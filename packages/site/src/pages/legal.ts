/** Texts that the legal pages share. The rest is in ../../legal. */
export const legal = {
  /** Followed by the date. */
  updated: 'Last updated',
  contents: 'On this page',
  others: 'Other legal pages',
} as const;
