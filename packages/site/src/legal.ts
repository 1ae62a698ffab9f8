import type { Text } from './text.ts';

/** The first cell of each row is its heading. */
export interface LegalTable {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A bare text is a paragraph. */
export type LegalBlock =
  | Text
  | { readonly subheading: string }
  | { readonly list: readonly Text[] }
  /** Terms, and what is to be said of each. */
  | { readonly facts: readonly (readonly [term: string, text: Text])[] }
  | { readonly table: LegalTable };

export interface LegalSection {
  /** The fragment that links to the section end with. */
  readonly id: string;
  /** Without its number, which is its place in the document. */
  readonly heading: string;
  readonly blocks: readonly LegalBlock[];
}

export interface LegalDocument {
  readonly title: string;
  /** For search engines: at most 155 characters. */
  readonly description: string;
  readonly path: string;
  /** The gist, in two or three sentences. */
  readonly lead: string;
  /** The day of the last change, as 2025-06-15. */
  readonly updated: string;
  readonly sections: readonly LegalSection[];
}

/** What every legal page is dated (spec §9). */
export const legalDate = '2025-06-15';
