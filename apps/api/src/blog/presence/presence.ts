/** In milliseconds. A page says every 15 seconds that it is open. */
export const lifetime = 30_000;

/** Of a post. */
export const maxPeople = 20;

/** Who has which post open in the editor. Worth nothing after a restart. */
export interface Presence {
  /** @returns the names of the others, as far as they have one */
  stay(postId: string, userId: string, name: string | null): Promise<(string | null)[]>;
  leave(postId: string, userId: string): Promise<void>;
}
