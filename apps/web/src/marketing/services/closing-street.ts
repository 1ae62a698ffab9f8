/**
 * The street at the end of the page, as components/Closing.astro draws it. The plumber's
 * new page shows the same one by day: what stands twice in a page is compressed to once.
 * Its lit door is in the right half, which the divider leaves open.
 */
export const closingStreet = { seed: 'tools', width: 1400, height: 260 } as const;
