import type { Clock } from '../../clock.ts';
import { createLruCache } from '../../lru-cache.ts';
import { lifetime, maxPeople, type Presence } from './presence.ts';

const maxPosts = 1_000;

interface Visit {
  name: string | null;
  at: number;
}

/** Knows only the people who use this server. */
export function createMemoryPresence({ clock }: { clock: Pick<Clock, 'monotonic'> }): Presence {
  const posts = createLruCache<Map<string, Visit>>(maxPosts);

  return {
    async stay(postId, userId, name) {
      const now = clock.monotonic();
      const people = posts.get(postId) ?? new Map<string, Visit>();
      for (const [id, { at }] of people) if (now - at > lifetime) people.delete(id);
      people.delete(userId);
      const others = [...people.values()].map((visit) => visit.name);
      if (people.size < maxPeople) people.set(userId, { name, at: now });
      posts.set(postId, people);
      return others;
    },

    async leave(postId, userId) {
      posts.get(postId)?.delete(userId);
    },
  };
}
