import { hasTooManyMarks } from '../fields.ts';
import { limits } from '../limits.ts';
import { messages } from '../messages.ts';

const many = (number: number): string => number.toLocaleString('en-US');

export const contentProblems = {
  nesting: `Lists and quotes can be nested at most ${limits.contentNesting} levels deep. Please use fewer levels.`,
  brackets: `A paragraph can have at most ${limits.contentBrackets} open brackets at a time. Please close or remove some.`,
  emphasis: `A paragraph can have at most ${many(limits.contentEmphasis)} *, _ and ~ marks. Please split it or remove some.`,
  tableColumns: `A table can have at most ${limits.tableColumns} columns. Please split it into several tables.`,
  tableRows: `A table can have at most ${many(limits.tableRows)} rows. Please split it into several tables.`,
  tableCells: `The tables of a post can have at most ${many(limits.tableCells)} cells in total. Please shorten them.`,
  links: `A post can have at most ${many(limits.links)} links. Please remove some.`,
  images: `A post can have at most ${limits.images} images. Please remove some.`,
  repeatedCharacter: `A character can be repeated at most ${many(limits.repeatedCharacter)} times in a row. Please shorten long runs of spaces or signs.`,
  combiningMarks: messages.field.combiningMarks,
  /** Only detected by rendering. */
  tooLarge: `The formatted text is too large: at most ${many(limits.contentHtml)} characters of HTML. Please shorten it or split it into several posts.`,
  tooComplex:
    'The formatting is too complex to display. Please use fewer nested or unfinished marks, such as * _ [ and `.',
} as const;

/**
 * Finds the limit that a post's content exceeds; null if there is none. One pass over the text
 * without parsing it as Markdown, so any text is cheap to check. It detects what would turn a small
 * text into a huge page and can be explained to the author. The renderer's budget catches the rest.
 * @param content not longer than `limits.content`
 */
export function findContentProblem(content: string): string | null {
  return findRun(content) ?? findStructure(content);
}

function findRun(content: string): string | null {
  let run = 0;
  let last = -1;
  let hasMarks = false;
  for (let index = 0; index < content.length; index += 1) {
    const code = content.charCodeAt(index);
    // U+0300 is the first combining mark.
    if (code >= 0x300) hasMarks = true;
    run = code === last ? run + 1 : 1;
    last = code;
    if (run > limits.repeatedCharacter) return contentProblems.repeatedCharacter;
  }
  return hasMarks && hasTooManyMarks(content) ? contentProblems.combiningMarks : null;
}

function findStructure(content: string): string | null {
  const state = new Structure();
  for (const line of content.split('\n')) {
    const problem = state.read(line);
    if (problem) return problem;
  }
  return null;
}

/** Counts for the lines read so far. */
class Structure {
  /** Columns at which the texts of the open list items begin. */
  readonly #openItems: number[] = [];
  /** The fence that opened the current code block. */
  #fence = '';
  #table: { columns: number; rows: number } | null = null;
  #cells = 0;
  #links = 0;
  #images = 0;
  #brackets = 0;
  #emphasis = 0;

  /** The limit that the lines up to this one exceed. */
  read(line: string): string | null {
    const { markers, listColumn, text } = readContainers(line, limits.contentNesting);
    const fence = fenceOf(text);
    if (this.#fence !== '') {
      if (fence.startsWith(this.#fence) && text.trim() === fence) this.#fence = '';
      return null;
    }
    if (this.#nest(listColumn) + markers > limits.contentNesting) return contentProblems.nesting;
    this.#fence = fence;
    if (fence !== '' || text === '') {
      this.#table = null;
      this.#startParagraph();
      return null;
    }
    return this.#readRow(text) ?? this.#readInline(text);
  }

  /** The number of list items that contain the line, not counting those that begin on it. */
  #nest(listColumn: number | null): number {
    if (listColumn === null) return 0;
    while ((this.#openItems.at(-1) ?? 0) > listColumn) this.#openItems.pop();
    this.#openItems.push(listColumn + 2);
    return this.#openItems.length - 1;
  }

  #startParagraph(): void {
    this.#brackets = 0;
    this.#emphasis = 0;
  }

  #readRow(text: string): string | null {
    if (this.#table) this.#table.rows += 1;
    else {
      const columns = delimiterColumns(text);
      if (columns === 0) return null;
      if (columns > limits.tableColumns) return contentProblems.tableColumns;
      // The cells counted below are those of the header, the line above.
      this.#table = { columns, rows: 0 };
    }
    // Each cell is a paragraph of its own.
    this.#startParagraph();
    this.#cells += this.#table.columns;
    if (this.#table.rows > limits.tableRows) return contentProblems.tableRows;
    return this.#cells > limits.tableCells ? contentProblems.tableCells : null;
  }

  #readInline(text: string): string | null {
    this.#links += text.match(bareUrl)?.length ?? 0;
    if (this.#links > limits.links) return contentProblems.links;
    for (let index = 0; index < text.length; index += 1) {
      const problem = this.#count(text, index);
      if (problem) return problem;
    }
    return null;
  }

  #open(text: string, index: number): string | null {
    this.#brackets += 1;
    if (text[index - 1] === '!') this.#images += 1;
    if (text[index + 1] === '^') this.#links += 1;
    if (this.#images > limits.images) return contentProblems.images;
    if (this.#brackets > limits.contentBrackets) return contentProblems.brackets;
    return this.#links > limits.links ? contentProblems.links : null;
  }

  #count(text: string, index: number): string | null {
    const code = text.charCodeAt(index);
    switch (code) {
      case openBracket:
        return this.#open(text, index);
      case closeBracket:
        this.#brackets = Math.max(0, this.#brackets - 1);
        if (text[index + 1] === '(') this.#links += 1;
        return this.#links > limits.links ? contentProblems.links : null;
      case lessThan:
        if (isAutolink.test(text.slice(index, index + 12))) this.#links += 1;
        return this.#links > limits.links ? contentProblems.links : null;
      case asterisk:
      case underscore:
      case tilde:
        if (text.charCodeAt(index - 1) !== code) this.#emphasis += 1;
        return this.#emphasis > limits.contentEmphasis ? contentProblems.emphasis : null;
      default:
        return null;
    }
  }
}

const asterisk = 0x2a;
const lessThan = 0x3c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const tilde = 0x7e;
const underscore = 0x5f;
/** Excludes URLs of links that are counted by their brackets. */
const bareUrl = /(?<!\]\(|<)(?:https?:\/\/|www\.)[a-z\d]/gi;
const isAutolink = /^<[a-z][a-z\d+.-]*:/i;

/**
 * Reads the quote and list markers at the start of a line, at most `max` + 1 of them. `listColumn`
 * is the column of the first list marker.
 */
function readContainers(
  line: string,
  max: number,
): { markers: number; listColumn: number | null; text: string } {
  let index = 0;
  let column = 0;
  let markers = 0;
  let listColumn: number | null = null;
  for (;;) {
    while (line[index] === ' ' || line[index] === '\t') {
      column = line[index] === '\t' ? column + 4 - (column % 4) : column + 1;
      index += 1;
    }
    const isQuote = line[index] === '>';
    const width = isQuote ? 1 : listMarkerWidth(line, index);
    if (width === 0 || markers > max) break;
    // "- - -" is a horizontal rule, not three nested lists.
    if (!isQuote && listColumn === null && isRule(line.slice(index))) break;
    if (!isQuote) listColumn ??= column;
    markers += 1;
    index += width;
    column += width;
  }
  return { markers, listColumn, text: line.slice(index) };
}

/** The number of characters of the list marker at an index; 0 if there is none. */
function listMarkerWidth(line: string, index: number): number {
  const first = line.charCodeAt(index);
  const isPossible = first === asterisk || first === 0x2b || first === 0x2d || isDigit(first);
  if (!isPossible) return 0;
  let end = index + 1;
  if (isDigit(first)) {
    while (end - index < 9 && isDigit(line.charCodeAt(end))) end += 1;
    if (line[end] !== '.' && line[end] !== ')') return 0;
    end += 1;
  }
  const next = line[end];
  return next === undefined || next === ' ' || next === '\t' ? end - index : 0;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

const isRule = (text: string): boolean => /^(?:[-\s]+|[*\s]+)$/.test(text);

/** The backticks or tildes that begin or end a code block; '' if the line has none. */
function fenceOf(text: string): string {
  if (text[0] !== '`' && text[0] !== '~') return '';
  return /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(text)?.[0] ?? '';
}

/** The number of columns of a delimiter row; 0 for other lines. */
function delimiterColumns(text: string): number {
  if (text[0] !== '|' && text[0] !== '-' && text[0] !== ':') return 0;
  if (!/^[|:\-\s]+$/.test(text) || !text.includes('-') || !/[|:]/.test(text)) return 0;
  const row = text.trim();
  const inner = row.slice(row.startsWith('|') ? 1 : 0, row.endsWith('|') ? -1 : undefined);
  return inner.split('|').length;
}
