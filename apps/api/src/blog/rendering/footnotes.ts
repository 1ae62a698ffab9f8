import { postBody } from '@app/site/blog/post-body';
import type { Token, TokenizerAndRendererExtension } from 'marked';

interface Footnote {
  tokens: Token[];
  /** From 1, in the order of the text; 0 until it is referred to. */
  number: number;
  references: number;
}

/** `[^label]` in the text, and `[^label]: note` at the start of a block. */
export function createFootnotes() {
  const byLabel = new Map<string, Footnote>();
  const referred: Footnote[] = [];
  let isInNote = false;

  const definition: TokenizerAndRendererExtension = {
    name: 'footnote',
    level: 'block',
    tokenizer(source) {
      const [marker, label] = /^\[\^([^\]\s]{1,60})\]:[ \t]*/.exec(source) ?? [];
      // Notes cannot contain definitions, so that notes do not nest.
      if (marker === undefined || label === undefined || isInNote) return undefined;
      const raw = source.slice(0, endOfNote(source));
      const text = raw.slice(marker.length).replaceAll(/\n(?: {1,4}|\t)/g, '\n');
      isInNote = true;
      const { top } = this.lexer.state;
      this.lexer.state.top = true;
      const tokens = this.lexer.blockTokens(text, []);
      this.lexer.state.top = top;
      isInNote = false;
      const key = keyOf(label);
      if (!byLabel.has(key)) byLabel.set(key, { tokens, number: 0, references: 0 });
      return { type: 'footnote', raw };
    },
    renderer: () => '',
  };

  const reference: TokenizerAndRendererExtension = {
    name: 'footnoteReference',
    level: 'inline',
    tokenizer(source) {
      if (source[0] !== '[' || source[1] !== '^') return undefined;
      const [raw, label] = /^\[\^([^\]\s]{1,60})\]/.exec(source) ?? [];
      const note = label === undefined ? undefined : byLabel.get(keyOf(label));
      // Blocks are parsed before their inline text, so every definition is known.
      return raw !== undefined && note ? { type: 'footnoteReference', raw, note } : undefined;
    },
    renderer({ note }) {
      if (note.number === 0) note.number = referred.push(note);
      note.references += 1;
      const { number, references } = note;
      return `<sup><a id="${referenceId(number, references)}" href="#fn-${number}" role="doc-noteref" aria-label="${postBody.footnote(number)}">${number}</a></sup>`;
    },
  };

  return {
    extensions: [definition, reference],

    /** The notes that the text refers to; '' if there are none. */
    section(render: (tokens: Token[]) => string): string {
      const rendered: string[] = [];
      // Rendering a note appends the notes that it refers to.
      for (const { tokens } of referred) rendered.push(render(tokens).trimEnd());
      const items = referred.map(({ number, references }, index) => {
        const back = Array.from({ length: references }, (_, at) => backLink(number, at + 1));
        return `<li id="fn-${number}">${withBackLinks(rendered[index] ?? '', back.join(''))}</li>\n`;
      });
      if (items.length === 0) return '';
      return `<section class="footnotes" role="doc-endnotes" aria-label="${postBody.footnotes}">\n<ol>\n${items.join('')}</ol>\n</section>\n`;
    },
  };
}

const keyOf = (label: string): string => label.toLowerCase();

/** A note ends before the next note, or before an empty line that no indented line follows. */
function endOfNote(source: string): number {
  let end = 0;
  let isAfterEmptyLine = false;
  for (let start = 0; start < source.length; ) {
    const newline = source.indexOf('\n', start);
    const next = newline === -1 ? source.length : newline + 1;
    const line = source.slice(start, next);
    const isEmpty = line.trim() === '';
    const isIndented = /^(?: {2}|\t)/.test(line);
    if (start > 0 && !isEmpty && !isIndented && (isAfterEmptyLine || line.startsWith('[^'))) break;
    if (!isEmpty) end = next;
    isAfterEmptyLine = isEmpty;
    start = next;
  }
  return end;
}

const referenceId = (number: number, reference: number): string =>
  reference === 1 ? `fnref-${number}` : `fnref-${number}-${reference}`;

const backLink = (number: number, reference: number): string =>
  ` <a href="#${referenceId(number, reference)}" role="doc-backlink" aria-label="${postBody.backToText(number)}">↩</a>`;

/** Puts the links into the last paragraph, if the note ends with one. */
const withBackLinks = (html: string, links: string): string =>
  html.endsWith('</p>') ? `${html.slice(0, -'</p>'.length)}${links}</p>` : `${html}${links}`;
