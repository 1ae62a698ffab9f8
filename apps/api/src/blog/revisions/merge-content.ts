import type { ContentPart } from '@app/contract/edit-conflict';
import { diff3Merge } from 'node-diff3';
import { countWhile } from './count-while.ts';

/**
 * Limits the steps that node-diff3 takes: the number of equal pairs of units times the length of
 * the shorter text. That many take at most 35 ms of CPU time, usually 10 ms, in a separate thread.
 */
const maxSteps = 24_000_000;

/** node-diff3 passes the units of a text as function arguments, whose number is limited. */
const maxUnits = 20_000;

export interface Texts {
  base: string;
  theirs: string;
  yours: string;
}

interface TextsToMerge extends Omit<Texts, 'base'> {
  /** Null if it is not stored. */
  base: string | null;
}

/** Merges in another thread. Null if too many merges are waiting. */
export type MergeTexts = (account: string, texts: Texts) => Promise<ContentPart[] | null>;

/**
 * Merges two changes of a text line by line. Changes of both sides to the same or adjacent lines
 * are a conflict. Texts that would take too long to compare are a conflict as a whole.
 * @returns parts whose lines all end with a line feed, or what `merge` returns
 */
export function mergeContent<Result>(
  { base, theirs, yours }: TextsToMerge,
  merge: (texts: Texts) => Result,
): ContentPart[] | Result {
  if (yours === base || yours === theirs) return [{ text: `${theirs}\n` }];
  if (theirs === base) return [{ text: `${yours}\n` }];
  return base === null ? wholeConflict({ base, theirs, yours }) : merge({ base, theirs, yours });
}

/** For texts that all differ. */
export const mergeTexts = (texts: Texts): ContentPart[] =>
  mergeUnits(texts, linesOf) ?? mergeUnits(texts, paragraphsOf) ?? wholeConflict(texts);

const linesOf = (text: string): string[] => text.split('\n').map((line) => `${line}\n`);

/**
 * Lines with the empty lines that follow them. Half of a long text is empty lines, and comparing
 * these with each other takes most of the time. The drawback is that changes of neighboring
 * paragraphs conflict.
 */
const paragraphsOf = (text: string): string[] => `${text}\n`.split(/(?<=\n)(?!\n)/);

/** Null if it would take too long. */
function mergeUnits(texts: Texts, unitsOf: (text: string) => string[]): ContentPart[] | null {
  const [o, a, b] = [unitsOf(texts.base), unitsOf(texts.theirs), unitsOf(texts.yours)];
  const shortest = Math.min(o.length, a.length, b.length);
  const start = countWhile(shortest, (n) => o[n] === a[n] && o[n] === b[n]);
  const end = countWhile(
    shortest - start,
    (n) => o.at(-1 - n) === a.at(-1 - n) && o.at(-1 - n) === b.at(-1 - n),
  );
  const middle = (units: string[]) => units.slice(start, units.length - end);
  const [before, their, your] = [middle(o), middle(a), middle(b)];
  if (maxStepsOf(before, their) + maxStepsOf(before, your) > maxSteps) return null;
  const parts: ContentPart[] = [];
  const add = (text: string) => {
    const last = parts.at(-1);
    if (last && 'text' in last) last.text += text;
    else if (text !== '') parts.push({ text });
  };
  add(o.slice(0, start).join(''));
  for (const { ok, conflict } of diff3Merge<string>(their, before, your)) {
    if (ok) add(ok.join(''));
    if (!conflict) continue;
    const { o: base, a: theirs, b: yours } = conflict;
    parts.push({ base: base.join(''), theirs: theirs.join(''), yours: yours.join('') });
  }
  add(o.slice(o.length - end).join(''));
  return parts;
}

function maxStepsOf(before: readonly string[], after: readonly string[]): number {
  if (Math.max(before.length, after.length) > maxUnits) return Number.POSITIVE_INFINITY;
  const counts = new Map<string, number>();
  for (const unit of after) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  let pairs = 0;
  for (const unit of before) pairs += counts.get(unit) ?? 0;
  return pairs * Math.min(before.length, after.length);
}

const wholeConflict = ({ base, theirs, yours }: TextsToMerge): ContentPart[] => [
  { base: base === null ? null : `${base}\n`, theirs: `${theirs}\n`, yours: `${yours}\n` },
];
