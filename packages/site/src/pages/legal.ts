/** What the legal pages have in common; their texts are in ../../legal. */
export const legal = {
  /** Before the date. */
  updated: 'Last updated',
  contents: 'On this page',
  others: 'Other legal pages',
} as const;
