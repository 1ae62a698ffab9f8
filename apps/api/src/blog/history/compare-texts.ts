import { diffArrays } from 'diff';
import { countWhile } from '../revisions/count-while.ts';

/**
 * Limits of one comparison: the paths that the diff considers, and the units that these paths pass.
 * It then takes at most 100 ms of CPU time, and usually 1 ms.
 */
const maxPaths = 500_000;
const maxPassed = 40_000_000;

/** The cost of comparing one change by words, so that a text has at most 5,000 such changes. */
const pathsPerChange = 100;

export interface TextPart {
  text: string;
  change?: 'added' | 'removed';
}

interface Budget {
  paths: number;
  passed: number;
}

type Change = TextPart['change'];

/**
 * Compares two texts word by word. Lines that would take too long to compare are reported as
 * removed and added as a whole.
 */
export function compareTexts(before: string, after: string): TextPart[] {
  if (before === after) return before === '' ? [] : [{ text: before }];
  const budget = { paths: maxPaths, passed: maxPassed };
  const hunks = groupChanges(compareUnits(linesOf(before), linesOf(after), budget));
  return hunks.flatMap((hunk) => ('text' in hunk ? [hunk] : compareWords(hunk, budget)));
}

interface Hunk {
  removed: string;
  added: string;
}

function compareWords({ removed, added }: Hunk, budget: Budget): TextPart[] {
  budget.paths -= pathsPerChange;
  if (removed === '' || added === '' || budget.paths <= 0) return partsOf({ removed, added });
  const words = groupChanges(compareUnits(wordsOf(removed), wordsOf(added), budget));
  return joinOverSpaces(words).flatMap((hunk) => ('text' in hunk ? [hunk] : partsOf(hunk)));
}

/** Joins changes that are separated only by spaces, so that two changed words are one change. */
function joinOverSpaces(hunks: (TextPart | Hunk)[]): (TextPart | Hunk)[] {
  const joined: (TextPart | Hunk)[] = [];
  for (const [index, hunk] of hunks.entries()) {
    const last = joined.at(-1);
    if (last && !('text' in last)) {
      if (!('text' in hunk)) {
        last.removed += hunk.removed;
        last.added += hunk.added;
        continue;
      }
      if (/^[^\S\n]+$/.test(hunk.text) && index < hunks.length - 1) {
        last.removed += hunk.text;
        last.added += hunk.text;
        continue;
      }
    }
    joined.push('text' in hunk ? hunk : { ...hunk });
  }
  return joined;
}

const partsOf = ({ removed, added }: Hunk): TextPart[] => [
  ...(removed === '' ? [] : [{ text: removed, change: 'removed' as const }]),
  ...(added === '' ? [] : [{ text: added, change: 'added' as const }]),
];

/** Combines neighboring removals and additions into one hunk. */
function groupChanges(parts: TextPart[]): (TextPart | Hunk)[] {
  const groups: (TextPart | Hunk)[] = [];
  for (const { text, change } of parts) {
    if (!change) {
      groups.push({ text });
      continue;
    }
    let hunk = groups.at(-1);
    if (!hunk || 'text' in hunk) {
      hunk = { removed: '', added: '' };
      groups.push(hunk);
    }
    hunk[change] += text;
  }
  return groups;
}

function compareUnits(before: string[], after: string[], budget: Budget): TextPart[] {
  const shortest = Math.min(before.length, after.length);
  const start = countWhile(shortest, (n) => before[n] === after[n]);
  const end = countWhile(shortest - start, (n) => before.at(-1 - n) === after.at(-1 - n));
  const middle = (units: string[]) => units.slice(start, units.length - end);
  const common = (units: string[]): TextPart[] =>
    units.length > 0 ? [{ text: units.join('') }] : [];
  return [
    ...common(before.slice(0, start)),
    ...compareMiddle(middle(before), middle(after), budget),
    ...common(before.slice(before.length - end)),
  ];
}

function compareMiddle(before: string[], after: string[], budget: Budget): TextPart[] {
  const whole = partsOf({ removed: before.join(''), added: after.join('') });
  if (whole.length < 2) return whole;
  const units = before.length + after.length;
  // For e edits, the diff considers e²/2 paths, which together pass each unit at most 2e times.
  const maxEditLength = Math.floor(
    Math.min(Math.sqrt(2 * budget.paths), budget.passed / (2 * units)),
  );
  // Unlike strings, numbers are compared in constant time.
  const numbers = new Map<string, number>();
  const numberOf = (unit: string): number => {
    const number = numbers.get(unit) ?? numbers.size;
    numbers.set(unit, number);
    return number;
  };
  const changes = diffArrays(before.map(numberOf), after.map(numberOf), { maxEditLength });
  const edits = changes
    ? changes.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0)
    : maxEditLength;
  budget.paths -= (edits * edits) / 2;
  budget.passed -= 2 * edits * units;
  if (!changes) return whole;
  const names = [...numbers.keys()];
  return changes.map(({ value, added, removed }) => {
    const change: Change = added ? 'added' : removed ? 'removed' : undefined;
    const text = value.map((number) => names[number]).join('');
    return change ? { text, change } : { text };
  });
}

const linesOf = (text: string): string[] => text.split(/(?<=\n)/);

/** Scripts without spaces are compared by characters, all others by words. */
const unit =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]\p{M}*|[\p{L}\p{M}\p{N}_]+|\n|[^\S\n]+|./gsu;

const wordsOf = (text: string): string[] => text.match(unit) ?? [];
