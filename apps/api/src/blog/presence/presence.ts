import { createLruCache } from '../../lru-cache.ts';
import type { Deps } from '../deps.ts';

/** In milliseconds. A page says every 15 seconds that it is open. */
const lifetime = 30_000;

const maxPosts = 1_000;
const maxPeople = 20;

interface Visit {
  name: string | null;
  at: number;
}

/** Who has which post open in the editor. In memory: it is worth nothing after a restart. */
export function createPresence({ clock }: Pick<Deps, 'clock'>) {
  const posts = createLruCache<Map<string, Visit>>(maxPosts);

  return {
    /** @returns the names of the others, as far as they have one */
    stay(postId: string, userId: string, name: string | null): (string | null)[] {
      const now = clock.monotonic();
      const people = posts.get(postId) ?? new Map<string, Visit>();
      for (const [id, { at }] of people) if (now - at > lifetime) people.delete(id);
      people.delete(userId);
      const others = [...people.values()].map((visit) => visit.name);
      if (people.size < maxPeople) people.set(userId, { name, at: now });
      posts.set(postId, people);
      return others;
    },

    leave(postId: string, userId: string): void {
      posts.get(postId)?.delete(userId);
    },
  };
}
