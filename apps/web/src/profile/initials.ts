interface Named {
  fullName: string | null;
  username: string | null;
}

/** What stands for a picture: the first letters of up to two words of a name, U without one (spec §4). */
export const initialsOf = (person: Named | null): string => {
  const words = (person?.fullName ?? person?.username ?? '').split(/\s+/).filter(Boolean);
  const letters = words.slice(0, 2).map((word) => [...word][0]);
  return letters.join('').toUpperCase() || 'U';
};
