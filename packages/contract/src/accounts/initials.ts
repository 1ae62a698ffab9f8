interface Named {
  fullName: string | null;
  username: string | null;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first grapheme. */
const firstCharacter = (text: string): string =>
  segmenter.segment(text)[Symbol.iterator]().next().value?.segment ?? '';

/** One letter, even for ß, whose uppercase form has two. U if there is no name. */
export const initialOf = (name: string | null): string =>
  firstCharacter(firstCharacter(name?.trim() ?? '').toUpperCase()) || 'U';

/** The initials of up to two words (spec §4). */
export const initialsOf = (person: Named | null): string => {
  const words = (person?.fullName ?? person?.username ?? '').split(/\s+/).filter(Boolean);
  return words.slice(0, 2).map(initialOf).join('') || 'U';
};
