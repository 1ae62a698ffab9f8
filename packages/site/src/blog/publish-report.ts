const maxPaths = 3;

const listOf = (paths: readonly string[]): string => {
  const others = paths.length - maxPaths;
  return [...paths.slice(0, maxPaths), ...(others > 0 ? [`${others} more`] : [])].join(', ');
};

const changes = (written: readonly string[], removed: readonly string[]): string[] => [
  ...(written.length > 0 ? [`Written: ${listOf(written)}.`] : []),
  ...(removed.length > 0 ? [`Removed: ${listOf(removed)}.`] : []),
];

interface Change {
  milliseconds: number;
  written: readonly string[];
  removed: readonly string[];
}

const timeOf = ({ milliseconds }: Change): string =>
  `${Math.max(Math.round(milliseconds), 1).toLocaleString('en-US')} ms`;

/** Reports what a save changed for readers. */
export const publishReport = {
  live: (change: Change) =>
    [`Live in ${timeOf(change)}.`, ...changes(change.written, change.removed)].join(' '),
  removed: (change: Change) =>
    [`Off the site in ${timeOf(change)}.`, ...changes(change.written, change.removed)].join(' '),
  /** @param reason a sentence */
  pending: (reason: string) =>
    `Pending: ${reason} The server will try again automatically. Until then, readers see the previous version.`,
  /** @param reason a sentence */
  listsPending: (reason: string) =>
    `Pending: ${reason} The server will try again automatically. Until then, pages that list the post stay as they were.`,
  /** In the editor. */
  pendingPaths: {
    title: 'Pending',
    text: (paths: readonly string[]) =>
      `${listOf(paths)} could not be updated yet. The server will try again automatically. Until then, readers see the previous version.`,
  },
  nowLive: { title: 'Live', description: 'Readers now see the saved version.' },
  nowRemoved: { title: 'Off the site', description: 'Readers no longer see the post.' },
} as const;
