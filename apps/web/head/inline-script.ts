import { createHash } from 'node:crypto';

export interface InlineScript {
  text: string;
  hash: `sha256-${string}`;
}

export const cspHashOf = (text: string): InlineScript['hash'] =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** Astro does not hash inline scripts (`is:inline`) by itself. */
export const inlineScript = (text: string): InlineScript => ({
  text,
  hash: cspHashOf(text),
});
