/** Longer texts are more likely a message than a name. */
const maxLength = 40;

/** Words of letters of any script, with apostrophes, hyphens and dots: Dr. Seán O'Brien-Lee Jr. */
const words = /^\p{L}[\p{L}\p{M}]*(?:(?:\.? |\.?-|['’.])\p{L}[\p{L}\p{M}]*)*\.?$/u;

/** Email clients turn evil.example into a link. */
const domain = /\.\p{L}\p{M}*\p{L}/u;

/**
 * Whether an email may address its recipient by this name, which a stranger can have entered. The
 * text is too short and too plain to be a message with a link, a phone number or an address.
 */
export const isPersonName = (name: string): boolean =>
  name.length <= maxLength && words.test(name) && !domain.test(name);
