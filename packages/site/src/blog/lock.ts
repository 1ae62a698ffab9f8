/** Posts that only staff can change. */
export const lock = {
  title: 'This post is locked',
  /** Around the time. */
  text: (name: string) => [`${name} locked it on `, '. Only staff can change it.'],
  lock: 'Lock for others',
  unlock: 'Unlock',
} as const;
