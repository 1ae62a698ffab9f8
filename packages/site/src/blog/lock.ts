/** Only staff can change a locked post. */
export const lock = {
  title: 'This post is locked',
  /** Text before and after the time. */
  text: (name: string) => [`${name} locked it on `, '. Only staff can change it.'],
  lock: 'Lock for others',
  unlock: 'Unlock',
} as const;
