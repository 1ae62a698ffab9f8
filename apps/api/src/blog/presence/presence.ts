/** In milliseconds. The editor reports every 15 seconds that it is open. */
export const lifetime = 30_000;

/** Per post. */
export const maxPeople = 20;

/** Who has which post open in the editor. It does not need to survive a restart. */
export interface Presence {
  /** @returns the names of the others; null for those without a name */
  stay(postId: string, userId: string, name: string | null): Promise<(string | null)[]>;
  leave(postId: string, userId: string): Promise<void>;
}
