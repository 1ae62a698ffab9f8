import { textOfParts } from '@app/contract/blog/content-parts';
import type { ConflictSides, EditConflict } from '@app/contract/edit-conflict';
import type { PostTexts } from '../../unsaved/form-texts.ts';

export type ConflictChoice = 'yours' | 'theirs' | 'both';

/** Choices for the fields in conflict and, in order, for the parts of the content. */
export interface ConflictChoices {
  fields: readonly ConflictChoice[];
  content: readonly ConflictChoice[];
}

/** What the form contains until the user chooses: the merged text, or else the user's own. */
export const mergedTexts = ({ merged, content }: EditConflict, typed: PostTexts): PostTexts => ({
  ...typed,
  ...merged,
  content: textOfParts(content, ({ yours }) => yours),
});

/** Replaces only what was not chosen as the user's own, so that later typing elsewhere stays. */
export const chosenTexts = (
  { fields, content }: EditConflict,
  typed: PostTexts,
  choices: ConflictChoices,
): PostTexts => {
  const chosen: PostTexts = { ...typed };
  for (const [index, { field, theirs }] of fields.entries()) {
    if (choices.fields[index] === 'theirs') chosen[field] = theirs;
  }
  if (choices.content.some((choice) => choice !== 'yours')) {
    chosen.content = textOfParts(content, (sides, index) => linesOf(sides, choices.content[index]));
  }
  return chosen;
};

const linesOf = ({ yours, theirs }: ConflictSides, choice: ConflictChoice = 'yours'): string =>
  choice === 'both' ? theirs + yours : { yours, theirs }[choice];
