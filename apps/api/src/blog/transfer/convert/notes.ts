/** What was changed or left out, a sentence for each kind. */
export type Notes = Set<string>;
