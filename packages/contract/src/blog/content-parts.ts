import type { ConflictSides, ContentPart } from '../edit-conflict.ts';

/**
 * Joins the parts of a merged content.
 * @param choose returns the lines for a conflict, each with its line feed
 */
export const textOfParts = (
  parts: readonly ContentPart[],
  choose: (sides: ConflictSides, index: number) => string,
): string => {
  let conflicts = 0;
  const text = parts.map((part) => {
    if ('text' in part) return part.text;
    conflicts += 1;
    return choose(part, conflicts - 1);
  });
  return text.join('').replace(/\n$/, '');
};
