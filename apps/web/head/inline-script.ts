import { createHash } from 'node:crypto';

export interface InlineScript {
  text: string;
  hash: `sha256-${string}`;
}

export const cspHashOf = (text: string): InlineScript['hash'] =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** Hashes a script for the CSP, because Astro does not hash inline scripts (`is:inline`). */
export const inlineScript = (text: string): InlineScript => ({
  text,
  hash: cspHashOf(text),
});
