interface Named {
  fullName: string | null;
  username: string | null;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first character as a reader sees it, however many code points that takes. */
const firstCharacter = (text: string): string =>
  segmenter.segment(text)[Symbol.iterator]().next().value?.segment ?? '';

/** The first letter of a name, uppercased; U without one. One letter, too, where uppercase has two: ß. */
export const initialOf = (name: string | null): string =>
  firstCharacter(firstCharacter(name?.trim() ?? '').toUpperCase()) || 'U';

/** What stands for a picture: the first letters of up to two words of a name, U without one (spec §4). */
export const initialsOf = (person: Named | null): string => {
  const words = (person?.fullName ?? person?.username ?? '').split(/\s+/).filter(Boolean);
  return words.slice(0, 2).map(initialOf).join('') || 'U';
};
