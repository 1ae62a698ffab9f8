/** Arabic, Indic scripts, Khmer, Mongolian and others whose letters can need a joiner between them. */
const joining = '[\\u{600}-\\u{109f}\\u{1780}-\\u{18af}\\u{1e900}-\\u{1e95f}]';

const emoji = '\\p{Extended_Pictographic}[\\u{fe0e}\\u{fe0f}\\p{Emoji_Modifier}]?';

/** Characters that nobody sees. */
const invisible = '\\p{Default_Ignorable_Code_Point}\\u{fff9}-\\u{fffc}\\u{1d159}';

/** Where they change what is seen. */
const meaningful = [
  // Flags of England, Scotland and Wales.
  '\\u{1f3f4}[\\u{e0061}-\\u{e007a}]{4,5}\\u{e007f}',
  // Families, professions and skin tones (UTS #51).
  `${emoji}(?:\\u{200d}${emoji})*`,
  // Keycaps: 1️⃣
  '[#*\\d]\\u{fe0f}\\u{20e3}',
  // Variants of Chinese characters, which Japanese names use, and of Burmese and Mongolian letters.
  '[\\p{Script=Han}\\u{1000}-\\u{109f}][\\u{fe00}-\\u{fe02}\\u{e0100}-\\u{e01ef}]',
  '[\\u{1820}-\\u{18aa}][\\u{180b}-\\u{180f}]',
  // Joiners. In Malayalam, one can end a word.
  `${joining}[\\u{200c}\\u{200d}](?=${joining})(?![${invisible}])`,
  '\\u{d4d}\\u{200d}',
].join('|');

/** Characters without a meaning in texts, and letters that look like a space. */
const blank =
  '\\p{White_Space}\\p{Cc}\\p{Cs}\\p{Noncharacter_Code_Point}\\u{2800}\\u{13441}\\u{13442}';

const removed = new RegExp(`(?![${invisible}])(${meaningful})|[${invisible}]`, 'gu');
const spaces = new RegExp(`[${blank}]+`, 'gu');
const visible = new RegExp(`[^${blank}${invisible}]`, 'u');

/** Whether a text has anything to see. */
export const isVisible = (text: string): boolean => visible.test(text);

/**
 * A short text as it is stored: on one line, composed (NFC), with single spaces, and without
 * characters that nobody sees, which would make two texts look alike or change the text around them
 * (UTR #36). Those that some scripts and emoji need are kept. Limit the length before: composing
 * can take quadratic time.
 */
export const oneLine = (text: string): string =>
  text
    .replace(removed, (_, kept: string | undefined) => kept ?? '')
    .replace(spaces, ' ')
    .normalize('NFC')
    .trim();

/** Includes what changes the direction of text beyond its own end, if nothing closes it. */
const controls =
  /(?![\n\t])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu;

/** Keeps line breaks and spaces. */
export const withoutControls = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(controls, '');

/** A longer text as it is stored. Empty if there is nothing to see. */
export const manyLines = (text: string): string =>
  isVisible(text) ? withoutControls(text).trim() : '';
