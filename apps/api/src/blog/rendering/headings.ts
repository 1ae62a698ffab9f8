import { cutText } from '@app/contract/cut-text';
import { escapeHtml } from './escape-html.ts';

/** Distinguishes these ids from those of the page and of footnotes. */
const prefix = 'h-';
/** In characters. */
const maxId = 60;
/** A post with fewer headings has no table of contents. */
const minOutline = 4;
/** Beyond this, a list is not an overview: only headings of the first level are listed. */
const maxOutline = 100;

interface Heading {
  id: string;
  label: string;
  level: number;
}

export function createHeadings() {
  const used = new Set<string>();
  /** The last number appended to each id. */
  const numbers = new Map<string, number>();
  const all: Heading[] = [];

  function newId(label: string): string {
    const base = prefix + idOf(label);
    let number = numbers.get(base) ?? 1;
    let id = base;
    while (used.has(id)) {
      number += 1;
      id = `${base}-${number}`;
    }
    numbers.set(base, number);
    used.add(id);
    return id;
  }

  return {
    /** @returns the id */
    add(level: number, label: string, isListed: boolean): string {
      const id = newId(label);
      if (isListed && level <= 3) all.push({ id, label, level });
      return id;
    },

    outline(): string | null {
      const sections = all.length > maxOutline ? all.filter(({ level }) => level === 2) : all;
      const isUseful = sections.length >= minOutline && sections.length <= maxOutline;
      return isUseful ? listOf(sections) : null;
    },
  };
}

/** Words of any script, joined by hyphens. */
function idOf(label: string): string {
  const words =
    label
      .toLowerCase()
      .replace(/['’]/g, '')
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const id = cutText(words.join('-'), maxId);
  return (id.endsWith('-') ? id.slice(0, -1) : id) || 'section';
}

function listOf(headings: readonly Heading[]): string {
  let html = '<ol>';
  let isNested = false;
  let hasParent = false;
  headings.forEach(({ id, label, level }, index) => {
    hasParent ||= level === 2;
    const nests = level === 3 && hasParent;
    if (nests && !isNested) html += '<ol>';
    else if (!nests && isNested) html += '</li></ol></li>';
    else if (index > 0) html += '</li>';
    isNested = nests;
    html += `<li><a href="#${id}">${escapeHtml(label)}</a>`;
  });
  return `${html}${isNested ? '</li></ol></li>' : '</li>'}</ol>`;
}
